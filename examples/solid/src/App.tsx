import { onCleanup, onMount, Show } from 'solid-js';
import { client, createUser } from './portico.ts';

/** Shows the widget in the element while its component is in the page: a function for `ref`. */
function login(element: HTMLElement): void {
  onMount(() => {
    const widget = client.mountLogin({
      elementId: element,
      config: { products: ['otp'], otpOptions: { methods: ['email'] } },
      styles: { preset: 'modern' },
    });
    onCleanup(() => widget.unmount());
  });
}

const Login = () => <div ref={login} />;

export default function App() {
  const user = createUser();
  return (
    <main style={{ padding: '1rem', 'overflow-wrap': 'anywhere' }}>
      <Show when={user()} fallback={<Login />}>
        <h1>Hello, {user()?.emails[0]?.email}</h1>
        <button type="button" onClick={() => void client.session.revoke()}>
          Sign out
        </button>
      </Show>
    </main>
  );
}
