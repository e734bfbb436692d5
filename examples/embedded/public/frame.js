import { client } from './client.js';

const at = (id) => document.getElementById(id);
let popup = null;

// A separate window shows its address, and keeps the session as a page of this site.
at('sign-in').addEventListener('click', () => {
  popup = window.open('/sign-in.html', 'sign-in', 'popup,width=480,height=640');
});

window.addEventListener('message', (event) => {
  if (event.origin !== location.origin || event.source !== popup) return;
  client.session.updateSession(event.data);
  void client.session.authenticate();
});

function show(user) {
  at('sign-in').hidden = user !== null;
  at('account').hidden = user === null;
  at('greeting').textContent = user === null ? '' : `Hello, ${user.emails[0]?.email ?? ''}`;
}

at('sign-out').addEventListener('click', () => client.session.revoke());
client.user.onChange(show);
show(client.user.getSync());
