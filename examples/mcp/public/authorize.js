const { apiUrl } = await (await fetch('/settings')).json();
const client = new Portico.PorticoUIClient('public-token-test-d1e70000-0000-4000-8000-000000000000', { apiUrl });

let widget = null;
const mount = (next) => {
  widget?.unmount();
  widget = next();
};

const ask = () =>
  mount(() =>
    client.mountIdentityProvider({
      elementId: '#widget',
      callbacks: {
        // The app requires a new login for this request.
        onError: (error) => {
          if (error.error_type === 'login_required') queueMicrotask(logIn);
        },
      },
    }),
  );

function logIn() {
  mount(() =>
    client.mountLogin({
      elementId: '#widget',
      config: { products: ['otp'], otpOptions: { methods: ['email'] } },
      styles: { preset: 'modern' },
    }),
  );
}

let known = client.session.getSync()?.user_id;
client.session.onChange((session) => {
  if (session === null || session.user_id === known) return;
  known = session.user_id;
  ask();
});
if (known === undefined) logIn();
else ask();
