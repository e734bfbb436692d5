import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, BYE, challenge, makeApps, OFFLINE, SECRET, verifier, withSecret, type Apps } from '../kit/idp-harness.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const SERVER = { client_id: 'server', code_challenge: undefined };

const MANY = SOAK ? 50 : 15;

describe.each(EITHER_DATABASE)('an authorization code on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  it.each<[string, Fields]>([
    ['without its verifier', { code_verifier: undefined }],
    ['with another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['with the challenge for a verifier', { code_verifier: challenge }],
    ['with a verifier that is too short', { code_verifier: verifier.slice(0, 42) }],
    ['for another redirect URI of the client', { redirect_uri: BYE }],
    ['for no redirect URI', { redirect_uri: undefined }],
    ['by another client', { client_id: 'other' }],
  ])('is refused %s, and not spent by it', async (_kind, fields) => {
    const code = await apps.codeFor();
    const refused = await apps.redeem({ code, ...fields });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect((await apps.redeem({ code })).status).toBe(200);
  });

  it('takes no verifier where none was registered (RFC 9700, section 2.1.1)', async () => {
    const code = await apps.codeFor(SERVER);
    const proof = withSecret('server', SECRET);
    const refused = await apps.redeem({ code, client_id: undefined }, proof);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await apps.redeem({ code, client_id: undefined, code_verifier: undefined }, proof)).status).toBe(200);
  });

  it('is not made without PKCE for a public client, or one that is set so', async () => {
    for (const client_id of ['planner', 'strict']) {
      const { body } = await apps.submit({ client_id, code_challenge: undefined });
      expect(body['error_type']).toBe('pkce_code_challenge_required');
    }
    const { body } = await apps.submit({ code_challenge: 'x'.repeat(42) });
    expect(body['error_type']).toBe('invalid_code_challenge');
  });

  it('ends its tokens when it is used a second time (RFC 6749, section 4.1.2)', async () => {
    const code = await apps.codeFor({ scopes: OFFLINE });
    const { body: first } = await apps.redeem({ code });
    expect((await apps.userinfo(first['access_token'])).status).toBe(200);
    expect((await apps.redeem({ code })).body['error']).toBe('invalid_grant');
    expect((await apps.userinfo(first['access_token'])).body['error']).toBe('invalid_token');
    expect((await apps.refresh(first['refresh_token'])).body['error']).toBe('invalid_grant');
  });

  it('ends nothing when a caller repeats it without the verifier or secret', async () => {
    const code = await apps.codeFor({ scopes: OFFLINE });
    const { body: first } = await apps.redeem({ code });
    await apps.redeem({ code, code_verifier: randomBytes(32).toString('base64url') });
    await apps.redeem({ code, client_id: 'other' });
    expect((await apps.userinfo(first['access_token'])).status).toBe(200);
  });

  it('is accepted for a minute', async () => {
    const [early, late] = [await apps.codeFor(), await apps.codeFor()];
    apps.provider.clock.time += MINUTE - 1;
    expect((await apps.redeem({ code: early })).status).toBe(200);
    apps.provider.clock.time += 1;
    expect((await apps.redeem({ code: late })).body['error']).toBe('invalid_grant');
  });

  it('ends with the session that it was made in, and with the app’s grant', async () => {
    const gone = await apps.provider.signIn('gone@example.com');
    const code = await apps.codeFor({}, gone);
    await apps.provider.post('/sessions/revoke', undefined, as(gone));
    expect((await apps.redeem({ code })).body['error']).toBe('invalid_grant');
    const revoker = await apps.provider.signIn('revoker@example.com');
    const taken = await apps.codeFor({}, revoker);
    await apps.provider.post('/users/connected_apps/planner/revoke', undefined, as(revoker));
    expect((await apps.redeem({ code: taken })).body['error']).toBe('invalid_grant');
  });

  it('gives no refresh token without offline_access, and no ID token without openid', async () => {
    expect(await apps.tokensFor(['openid'])).not.toHaveProperty('refresh_token');
    const { body } = await apps.redeem({ code: await apps.codeFor({ scopes: ['email', 'offline_access'] }) });
    expect(body).not.toHaveProperty('id_token');
    expect(body['refresh_token']).toBeTypeOf('string');
  });

  soakIt('is accepted for one of many simultaneous requests, whose tokens then end', async () => {
    for (let round = 0; round < (SOAK ? 3 : 1); round += 1) {
      const code = await apps.codeFor({ scopes: OFFLINE });
      const replies = await Promise.all(Array.from({ length: MANY }, () => apps.redeem({ code })));
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(replies.filter(({ body }) => body['error'] === 'invalid_grant')).toHaveLength(MANY - 1);
      expect((await apps.userinfo(won[0]?.body['access_token'])).body['error']).toBe('invalid_token');
    }
  });

  soakIt('causes no server error when its app is revoked at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await apps.provider.signIn(`race${round}@example.com`);
      const code = await apps.codeFor({ scopes: OFFLINE }, user);
      const [redeemed, revoked] = await Promise.all([
        apps.redeem({ code }),
        apps.provider.post('/users/connected_apps/planner/revoke', undefined, as(user)),
      ]);
      expect([200, 400]).toContain(redeemed.status);
      expect(revoked.status).toBe(200);
      if (redeemed.status === 200) expect((await apps.userinfo(redeemed.body['access_token'])).status).toBe(401);
    }
  });

  it('leaves no trace of itself or of the tokens in the database', async () => {
    const code = await apps.codeFor({ scopes: OFFLINE });
    const { body } = await apps.redeem({ code });
    const { db } = apps.provider.services;
    const kept = JSON.stringify([
      await db.selectFrom('authorization_codes').selectAll().execute(),
      await db.selectFrom('oauth_access_tokens').selectAll().execute(),
      await db.selectFrom('oauth_refresh_tokens').selectAll().execute(),
      apps.provider.logged,
    ]);
    for (const secret of [code, verifier, body['access_token'], body['refresh_token']]) {
      expect(kept).not.toContain(secret);
    }
  });
});
