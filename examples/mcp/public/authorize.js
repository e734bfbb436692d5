const { apiUrl } = await (await fetch('/settings')).json();
const client = new Portico.PorticoUIClient('public-token-test-d1e70000-0000-4000-8000-000000000000', { apiUrl });

let widget = null;
const mount = (next) => {
  widget?.unmount();
  widget = next();
};

const styles = { preset: 'modern' };

const ask = () =>
  mount(() =>
    client.mountIdentityProvider({
      elementId: '#widget',
      styles,
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
      styles,
      callbacks: {
        // Also after a new login of the same person.
        onEvent: (event) => {
          if (event.type === 'AUTHENTICATE_FLOW_COMPLETE') queueMicrotask(ask);
        },
      },
    }),
  );
}

const query = new URLSearchParams(location.search);
if (query.has('post_logout_redirect_uri') || query.get('prompt') === 'none') {
  // A logout, and a request that must show no page, are answered without a login.
  ask();
} else {
  let known = client.session.getSync()?.user_id;
  client.session.onChange((session) => {
    if (session?.user_id === known) return;
    known = session?.user_id;
    // The session ended, or the person uses another account.
    if (session === null) logIn();
    else ask();
  });
  if (known === undefined) logIn();
  else ask();
}
