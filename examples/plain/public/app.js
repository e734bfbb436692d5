const apiUrl = document.querySelector('meta[name=portico-api-url]').content;
const client = new Portico.PorticoUIClient('public-token-test-d1e70000-0000-4000-8000-000000000000', {
  apiUrl,
});

const account = document.getElementById('account');
let widget = null;

function show(user) {
  account.hidden = user === null;
  // Text, never markup: a name may hold anything.
  document.getElementById('greeting').textContent = user === null ? '' : `Hello, ${user.emails[0]?.email ?? ''}`;
  if (user !== null) {
    widget?.unmount();
    widget = null;
  } else {
    widget ??= client.mountLogin({
      elementId: '#login',
      config: { products: ['otp'], otpOptions: { methods: ['email'] } },
      styles: { preset: 'modern' },
    });
  }
}

document.getElementById('sign-out').addEventListener('click', () => client.session.revoke());
client.user.onChange(show);
show(client.user.getSync());
