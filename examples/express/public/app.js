const { apiUrl, publicToken } = await (await fetch('/api/settings')).json();
const client = new Portico.PorticoUIClient(publicToken, { apiUrl });

const at = (id) => document.getElementById(id);
let widget = null;

/** The session's cookies go with every request to this server. */
async function call(path, options) {
  const reply = await fetch(path, { headers: { 'Content-Type': 'application/json' }, ...options });
  const fields = await reply.json();
  if (!reply.ok) throw new Error(fields.message);
  return fields;
}

const say = (text) => (at('status').textContent = text);
const attempt = (action) => action().then(say, (error) => say(error.message));

function show(session) {
  at('account').hidden = session === null;
  if (session === null) {
    widget ??= client.mountLogin({
      elementId: '#login',
      config: { products: ['otp'], otpOptions: { methods: ['email'] } },
      styles: { preset: 'modern' },
    });
    return;
  }
  widget?.unmount();
  widget = null;
  void attempt(async () => {
    // A note that is typed meanwhile would be replaced.
    at('fields').disabled = true;
    at('note').value = (await call('/api/note')).note;
    at('fields').disabled = false;
    return '';
  });
}

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(async () => {
    await call('/api/note', { method: 'PUT', body: JSON.stringify({ note: at('note').value }) });
    return 'Saved.';
  });
});
at('reports').addEventListener('click', () => {
  void attempt(async () => (await call('/api/reports')).reports.join(', '));
});
at('sign-out').addEventListener('click', () => client.session.revoke());

let known = client.session.getSync()?.user_id;
client.session.onChange((session) => {
  // A refresh changes the session, and not who it is.
  if (session?.user_id === known) return;
  known = session?.user_id;
  show(session);
});
show(client.session.getSync());
