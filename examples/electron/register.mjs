/** Makes the app at the local provider, and prints its client id. In production, list the app in the project file. */
const apiUrl = process.env['PORTICO_API_URL'] ?? 'http://localhost:4100';
const project = 'project-test-d1e70000-0000-4000-8000-000000000000:secret-test-d1e70000-0000-4000-8000-000000000000';

const reply = await fetch(`${apiUrl}/v1/connected_apps/clients`, {
  method: 'POST',
  headers: { Authorization: `Basic ${btoa(project)}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    client_type: 'first_party_public',
    client_name: 'Notes for the desktop',
    // Any port: RFC 8252, section 7.3.
    redirect_urls: ['http://127.0.0.1/callback'],
  }),
});
const fields = /** @type {{ connected_app?: { client_id: string }, error_message?: string }} */ (await reply.json());
if (fields.connected_app === undefined) throw new Error(fields.error_message);
console.log(fields.connected_app.client_id);
