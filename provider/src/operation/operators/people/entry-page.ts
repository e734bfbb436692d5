import { html } from 'hono/html';
import type { Html } from '#provider/base/http/page-frame.ts';
import { page, SECTIONS } from '../desk/layout.ts';

/** @param company the name of the company's login, if there is one */
export function loginPage(company: string | null): Html {
  return page({
    title: 'Operators',
    section: null,
    operator: null,
    script: 'login',
    body: html`<p>Log in with the passkey that you enrolled here.</p>
      <p><button id="login" class="primary">Log in with a passkey</button></p>
      ${company === null ? '' : html`<p><a class="more" href="/operators/company/start">Log in at ${company}</a></p>`}
      <p id="said" role="alert"></p>
      <noscript><p>Passkeys need JavaScript.</p></noscript>`,
  });
}

/** The page after a login at the company. Its script goes on. */
export function enteredPage(): Html {
  return page({
    title: 'You are logged in',
    section: null,
    operator: null,
    script: 'entered',
    body: html`<p><a class="more" href="/operators">Go on</a></p>`,
  });
}

export function enrolPage(): Html {
  return page({
    title: 'Enrol a passkey',
    section: null,
    operator: null,
    script: 'enrol',
    body: html`<p>You were invited to this server’s operators’ page. The link works once.</p>
      <p><button id="enrol" class="primary">Create a passkey</button></p>
      <p id="said" role="alert"></p>
      <noscript><p>Passkeys need JavaScript.</p></noscript>`,
  });
}

/** @param path the refused path; the way back is the list of its section, or else the first page */
export function refusalPage(message: string, path: string, title = 'This did not work'): Html {
  const [section, name] = SECTIONS.find(([each]) => path.startsWith(`/operators/${each}`)) ?? ['', 'the first page'];
  return page({
    title,
    section: null,
    operator: null,
    body: html`<p role="alert">${message}</p>
      <p><a href="/operators/${section}">Back to ${name}</a></p>`,
  });
}

/** For every page: shows each time in the browser's time zone and language, and marks the current section. */
export const PAGE_SCRIPT = `
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const each of document.querySelectorAll('time')) {
  each.title = each.textContent;
  each.textContent = zoned.format(new Date(each.dateTime));
}
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
`;

/** A page of this site opens the next one, so that the browser sends the cookie of the session. */
export const ENTERED_SCRIPT = `location.replace('/operators');`;

/** Shared by both scripts: posts JSON, and shows errors as text. */
const SHARED = `
const said = document.querySelector('#said');
async function post(path, body) {
  const reply = await fetch('/operators/' + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error_message ?? 'This did not work.');
  return answer;
}
function whenPressed(id, act) {
  const button = document.querySelector(id);
  button.addEventListener('click', async () => {
    button.disabled = true;
    said.textContent = '';
    try {
      await act();
      location.assign('/operators');
    } catch (error) {
      said.textContent = error.name === 'NotAllowedError' ? 'The passkey was not used.' : error.message;
      button.disabled = false;
    }
  });
}
`;

export const LOGIN_SCRIPT = `${SHARED}
whenPressed('#login', async () => {
  const { options } = await post('login/start', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await post('login/finish', { credential: JSON.stringify(credential.toJSON()) });
});
`;

/** The token is in the fragment of the link, which browsers send to no server and which no log contains. */
export const ENROL_SCRIPT = `${SHARED}
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
whenPressed('#enrol', async () => {
  const { options } = await post('enrol/start', { token });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await post('enrol/finish', { token, credential: JSON.stringify(credential.toJSON()) });
});
`;
