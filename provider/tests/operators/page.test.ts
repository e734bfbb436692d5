import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorsApp } from '../../src/operators/app.ts';
import { inviteOperator, removeOperator } from '../../src/operators/operator-store.ts';
import { NO_METRICS } from '../../src/metrics/metrics.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { DATABASES, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';

const ORIGIN = 'https://ops.example.com';
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
const GRACE = { name: 'Grace', role: 'admin' } as const;
const BY = { name: 'root', address: null, request_id: null };

describe.each(DATABASES)("the operators' page, on %s", (_, database) => {
  let provider: Provider;
  let app: ReturnType<typeof operatorsApp>;
  let user_id: string;
  beforeAll(async () => {
    provider = await makeProvider(database);
    app = operatorsApp({ ...provider.services, metrics: NO_METRICS }, { origin: ORIGIN });
    user_id = (await provider.signIn('ada@example.com'))['user_id'] as string;
    await provider.services.db
      .updateTable('users')
      .set({ name: JSON.stringify({ first_name: HOSTILE }), external_id: 'x' })
      .where('user_id', '=', user_id)
      .execute();
  });
  afterAll(() => provider.close());

  interface Sent {
    readonly cookie?: string;
    readonly json?: Fields;
    readonly form?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
  }
  async function ask(method: string, path: string, { cookie, json, form, headers }: Sent = {}) {
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const reply = await app.request(`${ORIGIN}/operators/${path}`, {
      method,
      headers: {
        host: 'ops.example.com',
        ...(method === 'POST' ? { origin: ORIGIN } : {}),
        ...(json === undefined ? { accept: 'text/html' } : { 'content-type': 'application/json' }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, location: reply.headers.get('location') };
  }
  const get = async (path: string, cookie: string) => ask('GET', path, { cookie });
  const post = async (path: string, cookie: string, form: Readonly<Record<string, string>> = {}) =>
    ask('POST', path, { cookie, form });
  const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
    (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  const optionsOf = async (path: string, json: Fields): Promise<Fields> =>
    (JSON.parse((await ask('POST', path, { json })).text) as Fields)['options'] as Fields;
  async function enrolled(name: string, role: 'admin' | 'reader' = 'admin') {
    const token = await inviteOperator(provider.services, { name, role }, BY);
    const key = new SoftwareAuthenticator(ORIGIN);
    const credential = key.create(await optionsOf('enrol/start', { token }));
    const reply = await ask('POST', 'enrol/finish', { json: { token, credential } });
    return { token, key, credential, reply, cookie: cookieOf(reply) };
  }
  async function logIn(key: SoftwareAuthenticator) {
    const credential = key.get(await optionsOf('login/start', {}));
    return ask('POST', 'login/finish', { json: { credential } });
  }
  const events = async () =>
    (await provider.services.db.selectFrom('audit_log').select(['event', 'actor_id']).orderBy('seq').execute()).map(
      ({ event, actor_id }) => `${event} ${actor_id}`,
    );
  const refusals = async () =>
    (
      await provider.services.db
        .selectFrom('audit_log')
        .select(['event', 'details'])
        .where('outcome', '=', 'refused')
        .where('event', 'like', 'operator%')
        .orderBy('seq')
        .execute()
    ).map(({ event, details }) => `${event} ${JSON.stringify(details)}`);

  it('enrols a passkey by a link that works once, and logs in by it', async () => {
    const { token, key, credential, reply } = await enrolled('Grace');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('set-cookie')).toMatch(
      /^__Host-operator=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
    );
    expect((await ask('POST', 'enrol/start', { json: { token } })).status).toBe(404);
    expect((await ask('POST', 'enrol/finish', { json: { token, credential } })).status).toBe(404);
    const answered = await logIn(key);
    expect(answered.status).toBe(200);
    expect((await get('users', cookieOf(answered))).text).toContain('ada@example.com');
    expect(await events()).toEqual(expect.arrayContaining(['operator_enrolled Grace', 'operator_login Grace']));
    const before = await refusals();
    const other = new SoftwareAuthenticator(ORIGIN);
    other.create(await optionsOf('enrol/start', { token: await inviteOperator(provider.services, GRACE, BY) }));
    expect((await logIn(other)).status).toBe(400);
    await ask('POST', 'enrol/start', { json: { token } });
    expect((await refusals()).slice(before.length)).toEqual([
      'operator_login {"error_type":"webauthn_verification_failed"}',
      'operator_enrolled {"error_type":"invite_not_found"}',
    ]);
  });

  it('refuses assertions of another origin, without the person, or twice; and an invitation of another operator', async () => {
    const { key } = await enrolled('Edsger');
    for (const spoiled of [{ origin: 'https://evil.example.com' }, { verified: false }, { crossOrigin: true }]) {
      const credential = key.get(await optionsOf('login/start', {}), spoiled);
      expect((await ask('POST', 'login/finish', { json: { credential } })).status).toBe(400);
    }
    const credential = key.get(await optionsOf('login/start', {}));
    expect((await ask('POST', 'login/finish', { json: { credential } })).status).toBe(200);
    expect((await ask('POST', 'login/finish', { json: { credential } })).status).toBe(400);
    const [one, two] = [
      await inviteOperator(provider.services, { name: 'One', role: 'admin' }, BY),
      await inviteOperator(provider.services, { name: 'Two', role: 'admin' }, BY),
    ];
    const mixed = new SoftwareAuthenticator(ORIGIN).create(await optionsOf('enrol/start', { token: one }));
    expect((await ask('POST', 'enrol/finish', { json: { token: two, credential: mixed } })).status).toBe(400);
    const late = new SoftwareAuthenticator(ORIGIN).create(await optionsOf('enrol/start', { token: two }));
    provider.clock.time += 61 * MINUTE;
    expect((await ask('POST', 'enrol/finish', { json: { token: two, credential: late } })).status).toBe(404);
  });

  it('shows nothing without a session, and nothing to a session of a user', async () => {
    const { session_token } = await provider.signIn('eve@example.com');
    const pages = ['users', `users/${user_id}`, 'clients', 'outbox', 'audit', 'people'];
    for (const cookie of ['', `__Host-operator=${session_token}`, 'operator=x']) {
      for (const page of pages) expect((await get(page, cookie)).location).toBe('/operators/login');
      expect((await post(`users/${user_id}/lock`, cookie)).status).toBe(401);
    }
    expect((await provider.app.request('/operators/users')).status).toBe(404);
  });

  it('escapes what users wrote, and lets no script of a page run', async () => {
    const { cookie } = await enrolled('Barbara');
    const filter = encodeURIComponent(HOSTILE);
    for (const path of [
      'users',
      `users?text=${filter}`,
      `users/${user_id}`,
      `audit?event=${filter}`,
      `users?done=${filter}`,
    ]) {
      const { text, headers } = await get(path, cookie);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=(?=["'])|style=/u);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/u);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect((await get('users', cookie)).text).toContain('&lt;script&gt;');
  });

  it('answers odd requests as if they found nothing', async () => {
    const { cookie } = await enrolled('Alan');
    for (const path of [
      'users?text=%00',
      'users?after=999999999999999.x',
      'users?text=%25_%5C',
      'audit?address=%00&event=%F0%9F%92%A9',
    ]) {
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200]);
    }
    for (const path of ['users/%00', 'users/nobody']) expect((await get(path, cookie)).status).toBe(404);
    for (const path of [
      'users?after=x',
      'audit?after=x',
      'audit?outcome=x',
      'audit?address=x',
      'outbox?state=x',
      'clients?after=%E2%82%AC',
    ]) {
      expect([path, (await get(path, cookie)).status]).toEqual([path, 400]);
    }
    expect((await post('users/%00/lock', cookie)).status).toBe(404);
    expect(provider.traces).toEqual([]);
  });

  it('refuses what another site sends, and other host names', async () => {
    const { cookie } = await enrolled('Ken');
    const path = `users/${user_id}/lock`;
    const sent: readonly Readonly<Record<string, string>>[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of sent) {
      expect((await ask('POST', path, { cookie, form: {}, headers })).status).toBe(403);
    }
    for (const host of ['evil.example.com', 'ops.example.com:8443', 'ops.example.com.evil.example']) {
      expect((await ask('GET', 'users', { cookie, headers: { host } })).status).toBe(421);
    }
    const { db } = provider.services;
    expect(await db.selectFrom('users').select('user_id').where('locked_at', 'is not', null).execute()).toEqual([]);
  });

  it('locks, unlocks, signs out and deletes, in the name of the operator; a reader does none of it', async () => {
    const { cookie } = await enrolled('Radia');
    const reader = await enrolled('Margaret', 'reader');
    const at = `users/${user_id}`;
    for (const act of ['lock', 'unlock', 'sign-out', 'export', 'delete']) {
      expect((await post(`${at}/${act}`, reader.cookie, { confirm: 'ada@example.com' })).status).toBe(403);
    }
    expect((await get(at, reader.cookie)).text).not.toMatch(/\/lock"|\/delete"/u);
    expect((await post(`${at}/lock`, cookie)).location).toBe(`/operators/${at}?done=locked`);
    expect((await get(`${at}?done=locked`, cookie)).text).toContain('signed out everywhere');
    expect((await post(`${at}/unlock`, cookie)).status).toBe(303);
    await provider.signIn('ada@example.com');
    expect((await post(`${at}/sign-out`, cookie)).status).toBe(303);
    const person = await post(`${at}/export`, cookie);
    expect((JSON.parse(person.text) as Fields)['emails']).toEqual([{ email: 'ada@example.com', verified: true }]);
    expect((await post(`${at}/delete`, cookie, { confirm: 'delete' })).status).toBe(400);
    expect((await post(`${at}/delete`, cookie, { confirm: 'ada@example.com' })).status).toBe(303);
    expect((await get(at, cookie)).status).toBe(404);
    expect(await events()).toEqual(
      expect.arrayContaining(
        ['user_locked', 'user_unlocked', 'sessions_revoked', 'user_exported', 'user_deleted'].map(
          (each) => `${each} Radia`,
        ),
      ),
    );
    for (const page of ['clients', 'outbox?state=dead', 'audit?outcome=refused', 'people']) {
      expect((await get(page, cookie)).status).toBe(200);
    }
    expect((await post('clients/delete', cookie, { client_id: 'x', confirm: 'x' })).status).toBe(404);
    expect((await post('outbox/retry', cookie)).status).toBe(303);
  });

  it('ends a session after a quarter of an hour without a request, after eight hours, and with its operator', async () => {
    const { cookie, key } = await enrolled('Adele');
    const isLive = async (given: string) => (await get('users', given)).status === 200;
    for (let hour = 0; hour < 7 * 5; hour += 1) {
      provider.clock.time += 12 * MINUTE;
      expect(await isLive(cookie)).toBe(true);
    }
    provider.clock.time += 61 * MINUTE;
    expect(await isLive(cookie)).toBe(false);
    const idle = cookieOf(await logIn(key));
    provider.clock.time += 16 * MINUTE;
    expect(await isLive(idle)).toBe(false);
    const out = cookieOf(await logIn(key));
    expect((await post('logout', out)).location).toBe('/operators/login');
    expect(await isLive(out)).toBe(false);
    const removed = cookieOf(await logIn(key));
    await removeOperator(provider.services, 'Adele', BY);
    expect(await isLive(removed)).toBe(false);
    expect((await logIn(key)).status).toBe(400);
    await enrolled('Adele');
    expect(await isLive(removed)).toBe(false);
  });
});
