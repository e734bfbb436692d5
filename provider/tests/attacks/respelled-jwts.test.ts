import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { respelled } from '#tests/respelled.ts';
import { EITHER_DATABASE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { ISSUER } from '../kit/idp-harness.ts';
import { ORIGIN } from '../kit/oauth-harness.ts';
import { consent, fromServer, makeTarget, redeemCode, uniqueEmail } from './attacker.ts';

/** An attacker presents the same token again, in another spelling: with other unused bits, padding or blanks in the signature. */
describe.each(EITHER_DATABASE)('a JWT in another spelling, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function idToken(email: string): Promise<string> {
    const reply = await provider.app.request(`${ORIGIN}/accounts/google/gsi/credential`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: 'portico-test-client', email, email_verified: true }),
    });
    return ((await reply.json()) as Fields)['credential'];
  }

  async function tap(id_token: string) {
    const started = await provider.post('/oauth/google/onetap/start', { public_token: PUBLIC_TOKEN });
    const { oauth_callback_id } = started.data;
    return provider.post('/oauth/google/onetap/submit', { public_token: PUBLIC_TOKEN, oauth_callback_id, id_token });
  }

  it('is not a second ID token of One Tap', async () => {
    const token = await idToken(uniqueEmail('tapped'));
    expect((await tap(token)).status).toBe(200);
    for (const again of [token, ...respelled(token)]) {
      const { status, body } = await tap(again);
      expect([status, body['error_type']], again.slice(-6)).toEqual(
        again === token ? [400, 'oauth_flow_callback_error'] : [401, 'invalid_client'],
      );
    }
  });

  it('is no session JWT, for the user’s browser and for the app’s server', async () => {
    const { session_jwt } = await provider.signIn(uniqueEmail('owner'));
    const jwt = String(session_jwt);
    expect((await fromServer(provider, '/sessions/authenticate', { session_jwt: jwt })).status).toBe(200);
    for (const other of respelled(jwt)) {
      expect((await provider.call('GET', '/users/me', undefined, { session: other })).status).toBe(401);
      const { status } = await fromServer(provider, '/sessions/authenticate', { session_jwt: other });
      expect([400, 401, 404]).toContain(status);
    }
  });

  it('is no access token', async () => {
    const { session_token } = await provider.signIn(uniqueEmail('owner'));
    const granted = await consent(provider, String(session_token));
    const tokens = await redeemCode(provider, granted.data['authorization_code']);
    const about = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await provider.app.request(`${ISSUER}/oauth2/userinfo`, { headers })).status;
    };
    expect(await about(String(tokens['access_token']))).toBe(200);
    const [changedBits = ''] = respelled(String(tokens['access_token']));
    expect(await about(changedBits)).toBe(401);
  });
});
