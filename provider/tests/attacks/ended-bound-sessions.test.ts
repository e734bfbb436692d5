import { randomUUID } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { BoundPage, signInBound } from '../kit/bound-page.ts';
import { basic, EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { makeTarget, uniqueEmail } from './attacker.ts';

const PROFILE = { profile_id: 'p', issuer: 'https://issuer.example', audience: 'here', email_domains: ['example.com'] };

// The thief has a copy of another user's token and JWT, without the key, and an own token of a trusted issuer.
describe.each(EITHER_DATABASE)('T221: a login by a trusted token that names a bound session to end, %s', (_, url) => {
  let provider: Provider;
  let privateKey: CryptoKey;
  beforeAll(async () => {
    const keys = await generateKeyPair('RS256');
    ({ privateKey } = keys);
    const profile = { ...PROFILE, public_key: await exportSPKI(keys.publicKey) };
    provider = await makeTarget(url, {}, { trusted_auth_token_profiles: [profile] });
  });
  afterAll(() => provider.close());

  async function bodyWith(session: Fields) {
    const now = Math.floor(provider.clock.time / 1000);
    const { issuer: iss, audience: aud, profile_id } = PROFILE;
    const claims = { iss, aud, iat: now, exp: now + 300, email: 'thief@example.com', jti: randomUUID() };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    return { profile_id, token, session_duration_minutes: 60, ...session };
  }
  const fromServer = async (body: object) =>
    provider.app.request('/v1/sessions/attest', {
      method: 'POST',
      headers: {
        authorization: basic(provider.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });

  it('ends it for nobody but the page with its key, and uses the token of the issuer up for nobody else', async () => {
    const { page, token, jwt } = await signInBound(provider, uniqueEmail('owner'));
    const thief = await BoundPage.open(provider);
    const body = await bodyWith({ session_token: token });
    const replies = [
      await provider.post('/sessions/attest', body),
      await provider.post('/sessions/attest', await bodyWith({ session_jwt: jwt })),
      await thief.call('POST', '/sessions/attest', body),
      // Within the thief's own session, too.
      await provider.post('/sessions/attest', body, {
        session: String((await provider.signIn(uniqueEmail('thief')))['session_token']),
      }),
    ];
    expect(replies.map(({ status, body: { error_type } }) => [status, error_type])).toEqual(
      replies.map(() => [401, 'session_proof_required']),
    );
    expect((await page.me(token)).status).toBe(200);
    expect((await page.call('POST', '/sessions/attest', body)).status).toBe(200);
    expect((await page.me(token)).status).toBe(401);
  });

  it('lets the app’s server end it by an unexpired JWT, and not by its token alone', async () => {
    const { page, token, jwt } = await signInBound(provider, uniqueEmail('owner'));
    expect((await fromServer(await bodyWith({ session_token: token }))).status).toBe(401);
    expect((await page.me(token)).status).toBe(200);
    expect((await fromServer(await bodyWith({ session_jwt: jwt }))).status).toBe(200);
    expect((await page.me(token)).status).toBe(401);
  });
});
