import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoleAssignment } from '#server-rules/roles.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { as, makeApps, OFFLINE, SECRET, withSecret, type Apps } from '../kit/idp-harness.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;
const GRACE_MS = 30_000;

describe.each(EITHER_DATABASE)('a refresh token on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  it('is used once, and its reply brings the next one', async () => {
    const first = await apps.tokensFor();
    const { status, body: second, headers } = await apps.refresh(first['refresh_token']);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: OFFLINE.join(' ') });
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    const [before, after] = [decodeJwt(first['id_token']), decodeJwt(second['id_token'])];
    for (const claim of ['iss', 'sub', 'aud', 'azp', 'auth_time', 'sid']) expect(after[claim]).toEqual(before[claim]);
    expect((await apps.refresh(second['refresh_token'])).status).toBe(200);
  });

  it('ends its whole family when it is used again (RFC 9700, section 4.14.2)', async () => {
    const first = await apps.tokensFor();
    const { body: second } = await apps.refresh(first['refresh_token']);
    const bystander = await apps.tokensFor();
    apps.provider.clock.time += GRACE_MS;
    expect((await apps.refresh(first['refresh_token'])).body['error']).toBe('invalid_grant');
    expect((await apps.refresh(second['refresh_token'])).body['error']).toBe('invalid_grant');
    for (const { access_token } of [first, second]) expect((await apps.userinfo(access_token)).status).toBe(401);
    expect((await apps.userinfo(bystander['access_token'])).status).toBe(200);
    expect((await apps.refresh(bystander['refresh_token'])).status).toBe(200);
  });

  it('is refused for another client, and stays valid for its own', async () => {
    const { refresh_token } = await apps.tokensFor();
    expect((await apps.refresh(refresh_token, { client_id: 'other' })).body['error']).toBe('invalid_grant');
    const proof = withSecret('server', SECRET);
    expect((await apps.refresh(refresh_token, { client_id: undefined }, proof)).body['error']).toBe('invalid_grant');
    expect((await apps.refresh(refresh_token)).status).toBe(200);
  });

  it('gives fewer scopes when fewer are requested, never more', async () => {
    const { refresh_token } = await apps.tokensFor();
    for (const scope of ['openid profile', 'write', 'nothing', ' ']) {
      const wider = await apps.refresh(refresh_token, { scope });
      expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    }
    const { body: less } = await apps.refresh(refresh_token, { scope: 'openid' });
    expect(less['scope']).toBe('openid');
    expect((await apps.userinfo(less['access_token'])).body).not.toHaveProperty('email');
    const { body: again } = await apps.refresh(less['refresh_token']);
    expect(again['scope']).toBe(OFFLINE.join(' '));
  });

  it('leaves out scopes that its authorization left out: some programs repeat what they asked for', async () => {
    const { refresh_token } = await apps.tokensFor();
    const { status, body } = await apps.refresh(refresh_token, { scope: [...OFFLINE, 'nothing'].join(' ') });
    expect([status, body['scope']]).toEqual([200, OFFLINE.join(' ')]);
  });

  it('gives no scope that the user may not grant any more', async () => {
    const assigned = apps.provider.services.project.role_assignments as RoleAssignment[];
    const { refresh_token, scope } = await apps.tokensFor(['openid', 'write', 'offline_access']);
    expect(scope).toBe('openid write offline_access');
    const taken = assigned.splice(0);
    const { body: less } = await apps.refresh(refresh_token);
    assigned.push(...taken);
    expect(less['scope']).toBe('openid offline_access');
    expect((await apps.refresh(less['refresh_token'])).body['scope']).toBe('openid write offline_access');
  });

  it.each([
    ['none', undefined, 'invalid_request'],
    ['one that is unknown', 'x', 'invalid_grant'],
  ])('is refused when it is none: %s', async (_kind, given, error) => {
    expect(await apps.refresh(given)).toMatchObject({ status: 400, body: { error } });
  });

  it('ends when the user revokes the app, and when the app revokes it', async () => {
    const user = await apps.provider.signIn('revoker@example.com');
    const first = await apps.tokensFor(OFFLINE, user);
    await apps.provider.post('/users/connected_apps/planner/revoke', undefined, as(user));
    expect((await apps.refresh(first['refresh_token'])).body['error']).toBe('invalid_grant');
    const second = await apps.tokensFor(OFFLINE, user);
    expect((await apps.form('/revoke', { client_id: 'planner', token: second['refresh_token'] })).status).toBe(200);
    expect((await apps.refresh(second['refresh_token'])).body['error']).toBe('invalid_grant');
    expect((await apps.userinfo(second['access_token'])).status).toBe(401);
  });

  it('outlives the session that it was granted in', async () => {
    const user = await apps.provider.signIn('away@example.com');
    const { refresh_token } = await apps.tokensFor(OFFLINE, user);
    await apps.provider.post('/sessions/revoke', undefined, as(user));
    expect((await apps.refresh(refresh_token)).status).toBe(200);
  });

  it('is answered with the same next token within the grace, for its own client alone', async () => {
    const { refresh_token: first } = await apps.tokensFor();
    const { body: answer } = await apps.refresh(first);
    apps.provider.clock.time += GRACE_MS - 1;
    const again = await apps.refresh(first);
    expect([again.status, again.body['refresh_token']]).toEqual([200, answer['refresh_token']]);
    for (const { access_token } of [answer, again.body]) expect((await apps.userinfo(access_token)).status).toBe(200);
    expect((await apps.refresh(first, { client_id: 'other' })).body['error']).toBe('invalid_grant');
    // From the first use on, not from the last.
    apps.provider.clock.time += 1;
    expect((await apps.refresh(first)).body['error']).toBe('invalid_grant');
    expect((await apps.refresh(answer['refresh_token'])).body['error']).toBe('invalid_grant');
  });

  it('ends its family within the grace too when its successor was used', async () => {
    const { refresh_token: first } = await apps.tokensFor();
    const { body: second } = await apps.refresh(first);
    const { body: third } = await apps.refresh(second['refresh_token']);
    expect((await apps.refresh(first)).body['error']).toBe('invalid_grant');
    expect((await apps.refresh(third['refresh_token'])).body['error']).toBe('invalid_grant');
  });

  soakIt('gives twenty simultaneous requests the same next token', async () => {
    for (let round = 0; round < (SOAK ? 3 : 1); round += 1) {
      const { refresh_token } = await apps.tokensFor();
      const replies = await Promise.all(Array.from({ length: 20 }, () => apps.refresh(refresh_token)));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      const [next, ...others] = new Set(replies.map(({ body }) => body['refresh_token']));
      expect(others).toEqual([]);
      expect((await apps.refresh(next)).status).toBe(200);
    }
  });

  soakIt('ends when it is not used for thirty days, and in any case after half a year', async () => {
    const idle = await apps.tokensFor();
    let { refresh_token } = await apps.tokensFor();
    apps.provider.clock.time += 30 * DAY;
    expect((await apps.refresh(idle['refresh_token'])).body['error']).toBe('invalid_grant');
    await apps.signInAgain();
    ({ refresh_token } = await apps.tokensFor());
    for (let day = 0; day < 174; day += 29) {
      const { status, body } = await apps.refresh(refresh_token);
      expect(status).toBe(200);
      ({ refresh_token } = body as { refresh_token: string });
      apps.provider.clock.time += 29 * DAY;
    }
    const { body: last } = await apps.refresh(refresh_token);
    apps.provider.clock.time += 6 * DAY;
    expect((await apps.refresh(last['refresh_token'])).body['error']).toBe('invalid_grant');
    apps.provider.clock.time += DAY + 1;
    await sweep(apps.provider.services);
    expect(await apps.provider.services.db.selectFrom('oauth_refresh_tokens').selectAll().execute()).toEqual([]);
    await apps.signInAgain();
  });
});
