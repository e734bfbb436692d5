import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('impersonation on %s', (_, url) => {
  let provider: Provider;
  let user: Fields;
  beforeAll(async () => {
    provider = await makeProvider(url);
    user = await provider.signIn('victor@example.com');
  });
  afterAll(() => provider.close());

  const issue = async () =>
    (await administer(provider.services, 'impersonate', { user: 'Victor@example.com', by: 'ann@ops.example' })).token;
  const redeem = (impersonation_token: string, session?: string) =>
    provider.post('/impersonation/authenticate', { impersonation_token }, session === undefined ? {} : { session });
  const session = async () => String((await redeem(await issue())).data['session_token']);

  it('makes a session of the user that names the impersonator', async () => {
    const { status, data } = await redeem(await issue());
    expect(status).toBe(200);
    expect(data['user_id']).toBe(user['user_id']);
    expect(data['session'].authentication_factors).toMatchObject([
      {
        type: 'impersonated',
        delivery_method: 'impersonation',
        impersonated_factor: { impersonator_id: 'ann@ops.example', impersonator_email_address: 'ann@ops.example' },
      },
    ]);
    const { started_at, expires_at } = data['session'];
    expect(Date.parse(expires_at) - Date.parse(started_at)).toBe(60 * MINUTE);
  });

  it('accepts a user id as well, and refuses unknown users', async () => {
    const { token } = await administer(provider.services, 'impersonate', { user: user['user_id'] });
    expect((await redeem(token)).data['user_id']).toBe(user['user_id']);
    for (const unknown of ['nobody@example.com', 'user-test-none']) {
      await expect(administer(provider.services, 'impersonate', { user: unknown })).rejects.toThrow('no such user');
    }
  });

  it('takes a token once, and within five minutes', async () => {
    const token = await issue();
    expect((await redeem(token)).status).toBe(200);
    const again = await redeem(token);
    expect(again.body).toMatchObject({ status_code: 401, error_type: 'unable_to_auth_impersonation_token' });
    const late = await issue();
    provider.clock.time += 5 * MINUTE;
    expect((await redeem(late)).status).toBe(401);
    expect((await redeem('')).status).toBe(401);
  });

  soakIt('redeems a token once for fifty concurrent callers', async () => {
    const token = await issue();
    const replies = await Promise.all(Array.from({ length: 50 }, () => redeem(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });

  it('keeps no token in the database, and writes none to the log', async () => {
    const token = await issue();
    const rows = await provider.services.db.selectFrom('impersonation_tokens').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    await redeem(token);
    expect(provider.logged.join('\n')).not.toContain(token);
  });

  it('is lengthened neither by use nor by a login in it', async () => {
    const secret = await session();
    const touched = await provider.post(
      '/sessions/authenticate',
      { session_duration_minutes: 500 },
      { session: secret },
    );
    const expires = Date.parse(touched.data['session'].expires_at);
    expect(expires - provider.clock.time).toBe(60 * MINUTE);
    const own = await provider.signIn('victor@example.com', { session: secret });
    expect(own['session'].session_id).not.toBe(touched.data['session'].session_id);
    expect(own['session'].authentication_factors).toHaveLength(1);
    provider.clock.time += 60 * MINUTE;
    expect((await provider.post('/sessions/authenticate', {}, { session: secret })).status).toBe(401);
  });

  it('does not join the session of the operator', async () => {
    const mine = await provider.signIn('victor@example.com');
    const { data } = await redeem(await issue(), mine['session_token']);
    expect(data['session'].session_id).not.toBe(mine['session'].session_id);
    expect((await provider.call('GET', '/users/me', undefined, { session: mine['session_token'] })).status).toBe(200);
  });

  it.each([
    ['POST', '/totps', { expiration_minutes: 5 }],
    ['POST', '/passwords/session/reset', { password: 'a long and winding road' }],
    ['POST', '/webauthn/register/start', { domain: 'localhost' }],
    ['POST', '/otps/email/send/secondary', { email: 'mine@example.com' }],
    ['DELETE', '/users/emails/any', undefined],
    [
      'POST',
      '/idp/oauth/authorize/submit',
      { client_id: 'a', redirect_uri: 'b', response_type: 'code', scopes: [], consent_granted: true },
    ],
  ])('may not %s %s, which would outlive it', async (method, path, body) => {
    const { body: refused } = await provider.call(method, path, body, { session: await session() });
    expect(refused).toMatchObject({ status_code: 403, error_type: 'unauthorized_action' });
  });
});
