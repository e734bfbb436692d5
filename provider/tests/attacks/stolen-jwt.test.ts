import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { consent, isAlive, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * An attacker has the JWT of a user's session, from the log of an app that takes it as a bearer token, and not the session token. It
 * says for five minutes who the user is, and must not become more.
 */
describe.each(EITHER_DATABASE)('an attacker with only the JWT of a session, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function stolen() {
    const email = uniqueEmail('victim');
    const { session_token, session_jwt, session } = await provider.signIn(email);
    return {
      email,
      owner: String(session_token),
      session: String(session_jwt),
      expires_at: String(session.expires_at),
    };
  }

  it('gets no token, no further JWT and no longer session, however often and from wherever', async () => {
    const { session, expires_at } = await stolen();
    const body = { session_duration_minutes: 527_040 };
    const cookie = `stytch_session_jwt=${session}`;
    const replies = await Promise.all([
      provider.post('/sessions/authenticate', body, { session }),
      provider.post('/sessions/authenticate', body, { session }),
      provider.post('/sessions/authenticate', body, { headers: { cookie } }),
    ]);
    for (const { status, data, text } of replies as (Fields & { status: number; data: Fields; text?: string })[]) {
      if (status !== 200) continue;
      expect([data['session_token'], data['session_jwt'], text ?? '']).toEqual(['', '', expect.any(String)]);
      expect(data['session'].expires_at).toBe(expires_at);
    }
    expect(replies[0]?.status).toBe(200);
    provider.clock.time += 6 * MINUTE;
    expect((await provider.post('/sessions/authenticate', {}, { session })).status).toBe(401);
  });

  soakIt('adds, removes and grants nothing', async () => {
    const { owner, session } = await stolen();
    const me = async () => {
      const { request_id: _, ...user } = (await provider.call('GET', '/users/me', undefined, { session: owner })).data;
      return user;
    };
    const user = await me();
    const refused = [
      provider.post('/webauthn/register/start', { domain: 'localhost' }, { session }),
      provider.post('/otps/email/send/secondary', { email: uniqueEmail('added') }, { session }),
      provider.post('/magic_links/email/send/secondary', { email: uniqueEmail('added') }, { session }),
      provider.post('/passwords/session/reset', { password: 'correct horse battery staple' }, { session }),
      provider.post('/totps', { expiration_minutes: 60 }, { session }),
      provider.post('/oauth/attach', { provider: 'google' }, { session }),
      provider.call('DELETE', `/users/emails/${user['emails'][0].email_id}`, undefined, { session }),
      provider.call('GET', '/users/sessions', undefined, { session }),
      consent(provider, session),
    ];
    for (const reply of await Promise.all(refused)) {
      expect([reply.status, reply.body['error_type']]).toEqual([403, 'unauthorized_action']);
    }
    expect(await me()).toEqual(user);
  });

  it('ends its own session, as a logout does, and no other one', async () => {
    const { email, owner, session } = await stolen();
    const other = String((await provider.signIn(email))['session_token']);
    expect((await provider.post('/sessions/revoke', {}, { session })).status).toBe(200);
    expect([await isAlive(provider, owner), await isAlive(provider, other)]).toEqual([false, true]);
    expect((await provider.post('/sessions/revoke', {}, { session })).status).toBe(401);
  });

  soakIt('finishes nothing that the owner began', async () => {
    const { owner, session } = await stolen();
    const added = uniqueEmail('second');
    const sent = await provider.post('/otps/email/send/secondary', { email: added }, { session: owner });
    const message = await provider.newest(added);
    const body = { token: message?.code, method_id: sent.data['method_id'], ...MINUTES };
    expect((await provider.post('/otps/authenticate', body, { session })).status).toBeGreaterThanOrEqual(400);
    expect(await isAlive(provider, owner)).toBe(true);
    expect((await provider.post('/otps/authenticate', body, { session: owner })).status).toBe(200);
  });
});
