import './login-element.js';
import { client } from './client.js';

const greet = () => {
  const email = client.user.getSync()?.emails[0]?.email;
  document.getElementById('greeting').textContent = email === undefined ? '' : `Hello, ${email}`;
};

client.user.onChange(greet);
greet();
document.getElementById('sign-out').addEventListener('click', () => client.session.revoke());
