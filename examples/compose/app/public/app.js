const { apiUrl, publicToken } = await (await fetch('/api/settings')).json();
const client = new Portico.PorticoUIClient(publicToken, { apiUrl });

const at = (id) => document.getElementById(id);
let widget = null;

function show(user) {
  at('account').hidden = user === null;
  // Text, never markup: a name may hold anything.
  at('greeting').textContent = user === null ? '' : `Hello, ${user.emails[0]?.email ?? ''}`;
  if (user !== null) {
    widget?.unmount();
    widget = null;
    void check();
  } else {
    widget ??= client.mountLogin({
      elementId: '#login',
      config: { products: ['otp'], otpOptions: { methods: ['email'] } },
      styles: { preset: 'modern' },
    });
  }
}

/** Shows who the server of this app identifies, by the cookies of the session. */
async function check() {
  at('caller').textContent = (await (await fetch('/api/me')).json()).user_id;
}

at('sign-out').addEventListener('click', () => client.session.revoke());
client.user.onChange(show);
show(client.user.getSync());
