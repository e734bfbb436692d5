import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { basic, EITHER_DATABASE, type Fields, MINUTE, type Provider, PUBLIC_TOKEN } from '../kit/harness.ts';
import { administer } from '../kit/managing.ts';
import { makeGuarded } from '../kit/second-step.ts';
import { UNDO_MS } from '#provider/accounts/notices/history.ts';
import { noticesTo, tell } from '../notices/steps.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import {
  codeOf,
  consent,
  exchange,
  isAlive,
  makeTarget,
  MINUTES,
  passkey,
  redeemCode,
  refresh,
  secondAddress,
  uniqueEmail,
  uniqueNumber,
} from './attacker.ts';

/** A deletion cannot be undone, so only the user can make it, and only with a proof of the last ten minutes. */

const TEN_MINUTES = 600_000;

describe.each(EITHER_DATABASE)('the deletion of an account, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled', trusted_devices: { days: 30 } } });
  });
  afterAll(() => provider.close());

  const leave = (session: string) => provider.call('DELETE', '/users/me/account', undefined, { session });
  const signedIn = async (email = uniqueEmail('leaving')) => {
    const { session_token, session_jwt, user_id } = await provider.signIn(email);
    return { email, session: String(session_token), jwt: String(session_jwt), user_id: String(user_id) };
  };
  const isThere = async (userId: string) =>
    (await provider.services.db.selectFrom('users').select('user_id').where('user_id', '=', userId).execute())
      .length === 1;
  const farewells = async (to: string): Promise<number> =>
    (await noticesTo(provider, to)).filter(({ subject }) => subject.includes('account was deleted')).length;
  const enterCode = async (email: string, session: string) => {
    const sent = await provider.post('/otps/email/send/secondary', { email }, { session });
    const { code } = (await provider.newest(email)) ?? {};
    return provider.post(
      '/otps/authenticate',
      { token: code, method_id: sent.data['method_id'], ...MINUTES },
      { session },
    );
  };

  it('is refused in a stolen session that is older than ten minutes, until its user logs in again', async () => {
    const { email, session, user_id } = await signedIn();
    provider.clock.time += TEN_MINUTES + 1;
    expect((await leave(session)).body).toMatchObject({ status_code: 403, error_type: 'login_required' });
    // A use of the session is no proof.
    const used = await provider.post('/sessions/authenticate', MINUTES, { session });
    expect((await leave(String(used.data['session_token']))).body['error_type']).toBe('login_required');
    expect(await isThere(user_id)).toBe(true);
    const proven = await enterCode(email, session);
    expect((await leave(String(proven.data['session_token']))).status).toBe(200);
    expect(await isThere(user_id)).toBe(false);
  });

  it('is refused without the second factor, however fresh the first one, and again when that is old', async () => {
    const { email, session, secret } = await makeGuarded(provider, uniqueEmail('leaving'));
    const { user_id } = (await provider.call('GET', '/users/me', undefined, { session })).data;
    provider.clock.time += TEN_MINUTES + 1;
    expect((await leave(session)).body).toMatchObject({ status_code: 403, error_type: 'mfa_required' });
    const again = await provider.post(
      '/totps/authenticate',
      { totp_code: codeOf(provider, secret), ...MINUTES },
      { session },
    );
    const fresh = String(again.data['session_token']);
    const now = new Date(provider.clock.time).toISOString();
    await provider.services.db
      .updateTable('sessions')
      .set({
        authentication_factors: JSON.stringify([{ ...factorOf(again.data, 'otp'), last_authenticated_at: now }]),
      })
      .where('user_id', '=', String(user_id))
      .execute();
    expect((await leave(fresh)).body['error_type']).toBe('mfa_required');
    expect(await isThere(String(user_id))).toBe(true);
    expect((await noticesTo(provider, email)).filter(({ subject }) => subject.includes('deleted'))).toEqual([]);
  });

  soakIt('is refused to impersonators, apps, and holders of a session JWT', async () => {
    const { email, session, jwt, user_id } = await signedIn();
    const { token } = await administer(provider.services, 'impersonate', { user: email, by: 'ann' });
    const acting = await provider.post('/impersonation/authenticate', { impersonation_token: token });
    const tokens = await redeemCode(provider, (await consent(provider, session)).data['authorization_code']);
    const made = await exchange(provider, tokens['access_token']);
    for (const other of [acting.data['session_token'], made.data['session_token'], jwt]) {
      expect((await leave(String(other))).body).toMatchObject({ status_code: 403, error_type: 'unauthorized_action' });
    }
    expect((await leave(String(tokens['access_token']))).status).toBe(401);
    expect((await provider.call('DELETE', '/users/me/account')).status).toBe(401);
    expect(await isThere(user_id)).toBe(true);
  });

  it('ends everything of the user, and tells every verified address, the audit log and webhooks', async () => {
    const { email, session, user_id } = await signedIn();
    const other = await signedIn(email);
    const second = secondAddress(provider);
    await (
      await second.begin(session)
    )();
    const tokens = await redeemCode(provider, (await consent(provider, other.session)).data['authorization_code']);
    const { db } = provider.services;
    const [, added] = ((await provider.call('GET', '/users/me', undefined, { session: other.session })).data[
      'emails'
    ] ?? []) as readonly Fields[];
    const hook = `https://hooks.example/${randomUUID()}`;
    await db.insertInto('webhook_endpoints').values({ url: hook, events: null }).execute();
    const reply = await leave(other.session);
    await db.deleteFrom('webhook_endpoints').where('url', '=', hook).execute();
    expect([reply.status, reply.data['user_id']]).toEqual([200, user_id]);
    expect(await isThere(user_id)).toBe(false);
    for (const each of [session, other.session, other.jwt]) expect(await isAlive(provider, each)).toBe(false);
    expect((await refresh(provider, tokens['refresh_token']))['error']).toBe('invalid_grant');
    const hooked = await db.selectFrom('outbox').select('text').where('recipient', '=', hook).execute();
    const types = hooked.map(({ text }) => String((JSON.parse(text) as Fields)['type']));
    expect(types.filter((type) => type === 'user.deleted')).toHaveLength(1);
    const logged = await db
      .selectFrom('audit_log')
      .select(['outcome', 'actor_kind', 'actor_id'])
      .where('user_id', '=', user_id)
      .where('event', '=', 'user_deleted')
      .execute();
    expect(logged).toEqual([{ outcome: 'ok', actor_kind: 'user', actor_id: user_id }]);
    for (const to of [email, String(added?.['email'])]) {
      const told = (await noticesTo(provider, to)).filter(({ subject }) => subject.includes('account was deleted'));
      expect(told.map(({ text }) => text.includes('The account cannot be restored.'))).toEqual([true]);
      expect(told[0]?.link).toBeUndefined();
    }
  });

  soakIt('tells an owner whose address was removed in the stolen session before, told or not', async () => {
    for (const isTold of [false, true]) {
      const { email, session } = await signedIn();
      const there = await provider.call('GET', '/users/me', undefined, { session });
      const [own] = there.data['emails'] as readonly Fields[];
      const planted = await (await passkey(provider).begin(session))();
      const second = await (await secondAddress(provider).begin(String(planted.data['session_token'] ?? session)))();
      const thief = String(second.data['session_token']);
      expect(
        (await provider.call('DELETE', `/users/emails/${own?.['email_id']}`, undefined, { session: thief })).status,
      ).toBe(200);
      if (isTold) await tell(provider);
      expect((await leave(thief)).status).toBe(200);
      expect(await farewells(email), String(isTold)).toBe(1);
    }
  });

  soakIt('does not tell an address that was removed more than a week ago', async () => {
    const { email, session } = await signedIn();
    const added = await (await secondAddress(provider).begin(session))();
    const there = await provider.call('GET', '/users/me', undefined, { session: String(added.data['session_token']) });
    const emails = there.data['emails'] as readonly Fields[];
    const own = emails.find((each) => each['email'] === email);
    const other = emails.find((each) => each['email'] !== email);
    await provider.call('DELETE', `/users/emails/${own?.['email_id']}`, undefined, {
      session: String(added.data['session_token']),
    });
    await tell(provider);
    provider.clock.time += UNDO_MS + MINUTE;
    const later = await signedIn(String(other?.['email']));
    expect((await leave(later.session)).status).toBe(200);
    expect([await farewells(email), await farewells(later.email)]).toEqual([0, 1]);
  });

  soakIt('texts an owner with a number only, although an address was added in the stolen session', async () => {
    for (const isTold of [false, true]) {
      const number = uniqueNumber();
      const sent = await provider.post('/otps/sms/login_or_create', { phone_number: number });
      const { code } = (await provider.newest(number)) ?? {};
      const body = { token: code, method_id: sent.data['method_id'], ...MINUTES };
      const { data } = await provider.post('/otps/authenticate', body);
      const added = await (await secondAddress(provider).begin(String(data['session_token'])))();
      if (isTold) await tell(provider);
      expect((await leave(String(added.data['session_token']))).status).toBe(200);
      const texts = (await noticesTo(provider, number)).filter(({ text }) => text.includes('deleted'));
      expect(texts.map(({ channel }) => channel)).toEqual(['sms']);
    }
  });

  soakIt('asked for ten times at once happens once, and tells once', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { email, session, user_id } = await signedIn();
      const replies = await Promise.all(Array.from({ length: 10 }, () => leave(session)));
      expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
        200,
        ...Array.from({ length: 9 }, () => 401),
      ]);
      expect(await isThere(user_id)).toBe(false);
      expect((await noticesTo(provider, email)).filter(({ subject }) => subject.includes('deleted'))).toHaveLength(1);
    }
    expect(provider.traces).toEqual([]);
  });

  it('wins whole against a refresh, an exchange, a consent and an addition that run beside it', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { session, user_id } = await signedIn();
      const tokens = await redeemCode(provider, (await consent(provider, session)).data['authorization_code']);
      const finish = await secondAddress(provider).begin(session);
      const [gone, checked, refreshed, exchanged, , added] = await Promise.all([
        leave(session),
        provider.post('/sessions/authenticate', MINUTES, { session }),
        refresh(provider, tokens['refresh_token']),
        exchange(provider, tokens['access_token']),
        consent(provider, session),
        finish(),
      ]);
      // An addition that came first has replaced the token of the session.
      const last = gone.status === 200 ? gone : await leave(String(added.data['session_token']));
      expect(last.status).toBe(200);
      expect(await isThere(user_id)).toBe(false);
      for (const reply of [checked, exchanged, added]) {
        expect(reply.status).toBeLessThan(500);
        expect(await isAlive(provider, reply.data?.['session_token'] ?? 'none')).toBe(false);
      }
      expect((await refresh(provider, refreshed['refresh_token'] ?? 'none'))['error']).toMatch(/invalid/u);
      const { db } = provider.services;
      for (const table of ['sessions', 'oauth_grants', 'emails'] as const) {
        const left = await db.selectFrom(table).select('user_id').where('user_id', '=', user_id).execute();
        expect(left).toEqual([]);
      }
    }
    expect(provider.traces).toEqual([]);
  });

  it('leaves other users and the operators as they are', async () => {
    const { db, clock } = provider.services;
    const name = `grace ${randomUUID()}`;
    const operator_id = `operator-${randomUUID()}`;
    const created_at = new Date(clock.now());
    await db.insertInto('operators').values({ operator_id, name, role: 'admin', created_at }).execute();
    const neighbour = await signedIn();
    const { session } = await signedIn();
    expect((await leave(session)).status).toBe(200);
    expect(await isAlive(provider, neighbour.session)).toBe(true);
    expect(await db.selectFrom('operators').select('name').where('name', '=', name).execute()).toEqual([{ name }]);
  });

  it('is no call of a project that does not allow it, whose users have their data', async () => {
    const { services } = provider;
    const app = createApp({ ...services, project: { ...services.project, account: { deletion: false } } });
    const { session, user_id } = await signedIn();
    const headers = { authorization: basic(PUBLIC_TOKEN, session) };
    const refused = await app.request('/sdk/v1/users/me/account', { method: 'DELETE', headers });
    expect(await refused.json()).toMatchObject({ status_code: 404, error_type: 'route_not_found' });
    expect((await app.request('/sdk/v1/users/me/export', { headers })).status).toBe(200);
    expect(await isThere(user_id)).toBe(true);
  });
});

const factorOf = (data: Fields, type: string): Fields | undefined =>
  (data['session'] as { readonly authentication_factors: readonly Fields[] }).authentication_factors.find(
    (factor) => factor['type'] === type,
  );
