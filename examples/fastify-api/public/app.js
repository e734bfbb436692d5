const { apiUrl, publicToken, notesUrl } = await (await fetch('/settings.json')).json();
const client = new Portico.PorticoUIClient(publicToken, { apiUrl });

const [section, fieldset, note, answer] = ['section', 'fieldset', 'input', 'output'].map((name) =>
  document.querySelector(name),
);

/** Calls the API with the session's JWT. The client renews the JWT, so each call reads it anew. */
async function call(path, options) {
  const headers = { Authorization: `Bearer ${client.session.getTokens()?.session_jwt ?? ''}` };
  if (options?.body !== undefined) headers['Content-Type'] = 'application/json';
  const reply = await fetch(`${notesUrl}${path}`, { ...options, headers });
  const fields = await reply.json();
  if (!reply.ok) throw new Error(fields.message);
  return fields;
}

/** Shows what the action resolves with, or why it failed. */
async function run(action) {
  answer.value = await action().catch((error) => error.message);
}

const actions = {
  load: async () => {
    // A note that is typed meanwhile would be replaced.
    fieldset.disabled = true;
    note.value = (await call('/note')).note;
    fieldset.disabled = false;
    return '';
  },
  save: async () => {
    await call('/note', { method: 'PUT', body: JSON.stringify({ note: note.value }) });
    return 'Saved.';
  },
  reports: async () => {
    return (await call('/reports')).reports.join(', ');
  },
  leave: async () => {
    await client.session.revoke();
    return '';
  },
};

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => void run(actions[button.name]));
}

let widget = null;
let shownFor = null;
client.session.session$.subscribe((session) => {
  const userId = session?.user_id ?? '';
  // A refresh changes the session, and not whose it is.
  if (userId === shownFor) return;
  shownFor = userId;
  section.hidden = session === null;
  widget?.unmount();
  widget = null;
  if (session !== null) return void run(actions.load);
  const config = { products: ['otp'], otpOptions: { methods: ['email'] } };
  widget = client.mountLogin({ elementId: '#login', config, styles: { preset: 'modern' } });
});
