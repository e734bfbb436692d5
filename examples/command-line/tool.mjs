import { pathToFileURL } from 'node:url';

// The local provider's own address, and an app of its project file with "device_authorization_allowed": true.
const ISSUER = process.env.PORTICO_ISSUER ?? 'http://localhost:4100';
const CLIENT_ID = process.env.PORTICO_CLIENT_ID ?? 'tool';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const form = async (url, fields, fetch) => {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return { ok: reply.ok, body: await reply.json() };
};

/** Begins a sign-in: the person opens an address and enters a code. */
export async function begin({
  issuer = ISSUER,
  client_id = CLIENT_ID,
  scope = 'openid email offline_access',
  fetch = globalThis.fetch,
} = {}) {
  const discovery = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { device_authorization_endpoint, token_endpoint } = await discovery.json();
  const { ok, body } = await form(device_authorization_endpoint, { client_id, scope }, fetch);
  if (!ok) throw new Error(body.error_description);
  return { ...body, client_id, token_endpoint, fetch };
}

/** Polls until the person has decided. Resolves with the tokens. */
export async function tokensOf(device, sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000))) {
  const { client_id, device_code, token_endpoint, fetch } = device;
  let { interval } = device;
  for (;;) {
    await sleep(interval);
    const { ok, body } = await form(token_endpoint, { grant_type: GRANT, client_id, device_code }, fetch);
    if (ok) return body;
    if (body.error === 'slow_down') interval += 5;
    else if (body.error !== 'authorization_pending') throw new Error(body.error_description);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const device = await begin();
  console.log(`Open ${device.verification_uri} and enter ${device.user_code}`);
  console.log(`or open ${device.verification_uri_complete}`);
  const { access_token } = await tokensOf(device);
  const reply = await fetch(`${ISSUER}/oauth2/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
  console.log('Signed in as', (await reply.json()).email);
}
