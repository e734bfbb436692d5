import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal, REFUSALS, textOf, type RefusalType } from '#domain/rules/refusal.ts';
import { Faults } from '#provider/dev/control/faults.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { makeControlled, type ControlledProvider } from '../kit/controlled.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('time and faults by request, on %s', (_, url) => {
  let provider: ControlledProvider;
  beforeAll(async () => {
    provider = await makeControlled(url);
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    await provider.control('DELETE', '');
  });

  const clock = async (order: object, headers?: Record<string, string>) =>
    provider.control('POST', '/clock', order, headers);
  const fault = async (order: object, headers?: Record<string, string>) =>
    provider.control('POST', '/faults', order, headers);

  it('ends sessions, JWTs and codes by the moved clock, and has them back with the real time', async () => {
    const { session_token, session_jwt } = await provider.signIn('moved@example.com');
    const check = async (session: string) => (await provider.post('/sessions/authenticate', {}, { session })).status;
    expect([await check(session_token), await check(session_jwt)]).toEqual([200, 200]);
    expect((await clock({ move_ms: 61 * MINUTE })).body['clock']).toMatchObject({
      moved_ms: 61 * MINUTE,
      is_frozen: false,
      now: new Date(provider.clock.time + 61 * MINUTE).toISOString(),
    });
    expect([await check(session_token), await check(session_jwt)]).toEqual([401, 401]);
    expect((await provider.control('DELETE', '/clock')).body['clock']).toMatchObject({ moved_ms: 0 });
    expect(await check(session_token)).toBe(200);

    const { code, method_id } = await provider.sendCode('late@example.com');
    await clock({ move_ms: 6 * MINUTE });
    const late = await provider.post('/otps/authenticate', { token: code, method_id, session_duration_minutes: 5 });
    expect(late.body['error_type']).toBe('otp_code_not_found');
    const { session_jwt: later } = await provider.signIn('later@example.com');
    const { iat } = JSON.parse(atob(later.split('.')[1])) as { iat: number };
    expect(iat * 1000).toBe(provider.clock.time + 6 * MINUTE);

    const keys = async () => {
      const published = (await (await provider.app.request('/.well-known/jwks.json')).json()) as { keys: unknown[] };
      return published.keys.length;
    };
    expect(await keys()).toBe(1);
    await clock({ move_ms: 91 * 24 * 60 * MINUTE });
    expect(await keys()).toBe(2);
    await provider.control('DELETE', '/clock');
    expect(await check((await provider.signIn('now@example.com'))['session_jwt'])).toBe(200);
  });

  soakIt('leaves nothing that waits for a time which no clock tells any more', async () => {
    const check = async (session: string, fields = {}, headers = {}) =>
      (await provider.post('/sessions/authenticate', fields, { session, headers })).status;
    const used = await provider.signIn('used@example.com');
    await clock({ move_ms: 40 * MINUTE });
    expect(await check(used['session_token'], { session_duration_minutes: 60 })).toBe(200);
    await clock({ set: '2099-06-01T00:00:00Z' });
    const ahead = await provider.signIn('ahead@example.com');
    await provider.sendCode('ahead@example.com');
    const person = { email: 'app@example.com', totp: true, session_duration_minutes: 60 };
    const seeded = (await provider.control('POST', '/users', { users: [person] })).body['users'][0];
    const app = new TOTP({ secret: Secret.fromBase32(seeded.totp.secret) });
    const enter = async (session: string, timestamp: number) => {
      const body = { totp_code: app.generate({ timestamp }), session_duration_minutes: 60 };
      return provider.post('/totps/authenticate', body, { session });
    };
    const { now } = (await provider.control('GET', '')).body['clock'];
    const { data } = (await enter(seeded.session.session_token, Date.parse(now))).body;
    await provider.sendLink('new@example.com');
    await provider.control('POST', '/snapshots', { name: 'ahead' });
    const { db } = provider.services;
    const yearsOfCodes = async () => {
      const codes = db.selectFrom('passcodes').select('created_at').where('created_at', '>', new Date('2040'));
      return (await codes.orderBy('created_at').execute()).map(({ created_at }) => created_at.getUTCFullYear());
    };
    const headers = { 'x-portico-test': 'later' };
    await clock({ set: '2050-01-01T00:00:00Z' }, headers);
    await provider.post('/otps/email/login_or_create', { email: 'other@example.com' }, { headers });
    expect(await yearsOfCodes()).toEqual([2050, 2099]);

    // The scope still has a later time than all requests, and keeps what it dated.
    await clock({ move_ms: -60 * 525_600 * MINUTE });
    expect(await yearsOfCodes()).toEqual([2050]);
    await provider.control('POST', '/snapshots/ahead/restore');
    expect(await yearsOfCodes()).toEqual([]);
    await provider.control('DELETE', '');

    const columns = ['expires_at', 'started_at', 'last_accessed_at', 'window_start', 'next_at', 'at', 'active_at'];
    // An authenticator app that is verified does not expire.
    const { rows: all } = await sql<{ table_name: string; column_name: string }>`
      select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and table_name <> 'totps' and column_name in (${sql.join(columns)})`.execute(
      db,
    );
    const parts = all.map(({ table_name: table, column_name: column }) => {
      const later = sql`${sql.ref(column)} > ${new Date(provider.clock.now() + 4_320 * MINUTE)}`;
      return sql`select ${sql.lit(`${table}.${column}`)} as place from ${sql.table(table)} where ${later}`;
    });
    expect(parts.length).toBeGreaterThan(20);
    const { rows } = await sql`${sql.join(parts, sql` union all `)}`.execute(db);
    expect(rows).toEqual([]);

    expect([await check(used['session_token']), await check(ahead['session_token'])]).toEqual([200, 200]);
    expect((await enter(data.session_token, provider.clock.now())).status).toBe(200);
    expect(await check((await provider.signIn('ahead@example.com'))['session_jwt'])).toBe(200);
    provider.clock.time += 61 * MINUTE;
    expect([await check(used['session_token']), await check(ahead['session_token'])]).toEqual([401, 401]);
  });

  it('freezes the clock, sets it and lets it run on from there', async () => {
    await clock({ set: '2035-05-05T05:05:05Z', frozen: true });
    provider.clock.time += MINUTE;
    expect((await provider.control('GET', '')).body['clock']).toMatchObject({
      now: '2035-05-05T05:05:05.000Z',
      is_frozen: true,
    });
    await clock({ move_ms: -5_000 });
    await clock({ frozen: false });
    provider.clock.time += 1_000;
    expect((await provider.control('GET', '')).body['clock']).toMatchObject({
      now: '2035-05-05T05:05:01.000Z',
      is_frozen: false,
    });
  });

  it('gives a scope a separate time', async () => {
    const headers = { 'x-portico-test': 'one' };
    const { session_token: session } = await provider.signIn('scoped@example.com');
    await clock({ move_ms: 61 * MINUTE }, headers);
    expect((await provider.post('/sessions/authenticate', {}, { session, headers })).status).toBe(401);
    expect((await provider.post('/sessions/authenticate', {}, { session })).status).toBe(200);
    await provider.control('DELETE', '', undefined, headers);
    expect((await provider.post('/sessions/authenticate', {}, { session, headers })).status).toBe(200);
  });

  it.each([
    [{ set: 'tomorrow' }, 'set'],
    [{ set: '2030-13-01T00:00:00Z' }, 'set'],
    [{ set: '2030-02-31T00:00:00Z' }, 'set'],
    [{ set: '2030-01-01T24:00:00Z' }, 'set'],
    [{ set: '1999-12-31T23:59:59Z' }, 'set'],
    [{ move_ms: 1e15 }, 'move_ms'],
    [{ move_ms: 0.5 }, 'move_ms'],
    [{ move_ms: '5' }, 'move_ms'],
    [{ frozen: 'yes' }, 'frozen'],
  ])('refuses the time %j by the name of the field, and does not change the clock', async (order, field) => {
    const refused = await clock({ frozen: true, ...order });
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'bad_request' } });
    expect(Object.keys(refused.body['error_details'])).toEqual([field]);
    expect((await provider.control('GET', '')).body['clock']).toMatchObject({ moved_ms: 0, is_frozen: false });
  });

  it('refuses a call the given number of times, with the catalogue’s message', async () => {
    const call = 'POST /sdk/v1/otps/authenticate';
    await fault({ call, refuse: 'user_locked', times: 2 });
    const attempt = async () =>
      provider.post('/otps/authenticate', { token: '123456', method_id: 'x', session_duration_minutes: 5 });
    for (const _time of [1, 2]) {
      expect(await attempt()).toMatchObject({
        status: 403,
        body: {
          error_type: 'user_locked',
          error_message: 'This account is locked. Please contact the support of this site.',
        },
      });
    }
    expect((await attempt()).body['error_type']).toBe('otp_code_not_found');
    await fault({ call: '*', refuse: 'too_many_requests' });
    const limited = await attempt();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    const state = await provider.control('GET', '');
    expect(state.body['faults']).toMatchObject([{ call: '*', refuse: 'too_many_requests', hits: 1, scope: null }]);
    await provider.control('DELETE', `/faults/${state.body['faults'][0].fault_id}`);
    // `:name` stands for any segment in the description of a fault, not in the path of a request.
    await fault({ call, refuse: 'user_locked' });
    expect((await provider.post('/:otps/authenticate', {})).status).toBe(404);
    await provider.control('DELETE', '/faults');
    expect((await attempt()).body['error_type']).toBe('otp_code_not_found');
  });

  it('knows the refusals of the catalogue, with their status and words', async () => {
    for (const type of oneOf(4, Object.keys(REFUSALS) as RefusalType[])) {
      await fault({ call: 'GET /sdk/v1/users/me', refuse: type, times: 1 });
      const reply = await provider.app.request('/sdk/v1/users/me');
      const words = type === 'captcha_required' ? REFUSALS[type][1] : JSON.stringify(textOf(new Refusal(type)));
      expect([reply.status, await reply.text()], type).toEqual([REFUSALS[type][0], expect.stringContaining(words)]);
    }
  });

  it('answers a fault as each API does: flat for the backend, in the text of a captcha, as a page at a social login', async () => {
    const request = async (path: string, method = 'POST') =>
      provider.app.request(path, { method, headers: { accept: 'text/html' } });
    await fault({ call: 'POST /v1/users/search', refuse: 'too_many_requests', retry_after_seconds: 7 });
    const backend = await request('/v1/users/search');
    expect([backend.status, backend.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await backend.json()).toMatchObject({ error_type: 'rate_limit_exceeded' });
    await fault({ call: '* /sdk/v1/passwords/*', refuse: 'captcha_required' });
    const captcha = await request('/sdk/v1/passwords/authenticate');
    expect([captcha.status, await captcha.text()]).toEqual([403, 'Captcha required']);
    await fault({ call: 'GET /v1/public/oauth/:provider/start', refuse: 'oauth_config_not_found' });
    const page = await request('/v1/public/oauth/google/start', 'GET');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    await fault({ call: 'POST /oauth2/token', refuse: 'service_unavailable' });
    const token = await request('/oauth2/token');
    expect([token.status, token.headers.get('access-control-allow-origin')]).toEqual([503, '*']);
    await fault({ call: 'POST /v1/public/:projectId/oauth2/token', refuse: 'invalid_client' });
    expect(await (await request('/v1/public/p/oauth2/token')).json()).toMatchObject({ error: 'invalid_client' });
  });

  it('lets the built-in social accounts deny the next login, or fail, once', async () => {
    const back = 'http://localhost/v1/public/oauth/google/callback';
    const query = new URLSearchParams({
      client_id: 'portico-test-client',
      redirect_uri: back,
      response_type: 'code',
      scope: 'openid',
      state: 's',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    const leave = async (headers: Record<string, string> = {}) => {
      const reply = await provider.app.request(`/accounts/google/authorize?${query}`, { headers });
      return new URL(reply.headers.get('location') ?? back).searchParams.get('error') ?? reply.status;
    };
    expect(await leave()).toBe(200);
    const headers = { 'x-portico-test': 'one' };
    await provider.control('POST', '/social', { next: 'deny' }, headers);
    expect([await leave(), await leave(headers), await leave(headers)]).toEqual([200, 'access_denied', 200]);
    await provider.control('POST', '/social', { next: 'error' });
    expect([await leave(), await leave()]).toEqual(['server_error', 200]);
    await provider.control('POST', '/social', { next: 'deny' });
    await provider.control('POST', '/social', { next: null });
    expect(await leave()).toBe(200);
    const refused = await provider.control('POST', '/social', { next: 'maybe' });
    expect(refused.body['error_details']).toHaveProperty('next');
  });

  it('keeps clock and faults when settings are switched', async () => {
    await clock({ set: '2031-01-01T00:00:00Z', frozen: true });
    await fault({ call: '* /sdk/v1/*', refuse: 'user_locked' });
    await provider.control('POST', '/settings', { settings: { name: 'Another name' } });
    expect((await provider.post('/users/search', { email: 'a@example.com' })).body['error_type']).toBe('user_locked');
    const state = await provider.control('GET', '');
    expect(state.body).toMatchObject({
      clock: { now: '2031-01-01T00:00:00.000Z' },
      settings: { name: 'Another name' },
    });
  });

  it('keeps the faults of a scope to its requests', async () => {
    const headers = { 'x-portico-test': 'worker-1' };
    await fault({ call: '*', refuse: 'internal_server_error' }, headers);
    const bootstrap = async (scope: Record<string, string>) =>
      (await provider.call('GET', `/projects/bootstrap/public-token-test-x`, undefined, { headers: scope })).status;
    expect([
      await bootstrap(headers),
      await bootstrap({}),
      await bootstrap({ 'x-portico-test': 'worker-2' }),
    ]).not.toContain(200);
    expect(await bootstrap(headers)).toBe(500);
    expect(await bootstrap({})).not.toBe(500);
    expect(await bootstrap({ 'x-portico-test': 'worker-2' })).not.toBe(500);
    expect((await provider.control('GET', '', undefined, { 'x-portico-test': 'worker-2' })).body['faults']).toEqual([]);
  });

  it.each([
    [{ call: 'POST /nowhere' }, 'call'],
    [{ call: 'sign in' }, 'call'],
    [{ call: 'POST /dev/control/clock' }, 'call'],
    [{ call: '*', refuse: 'no_such_type' }, 'refuse'],
    [{ call: '*', refuse: 'toString' }, 'refuse'],
    [{ call: '*', drop: 'everything' }, 'drop'],
    [{ call: '*', drop: 'answer', refuse: 'user_locked' }, 'drop'],
    [{ call: '*', delay_ms: 60_001 }, 'delay_ms'],
    [{ call: '*', delay_ms: 5, times: 0 }, 'times'],
    [{ call: '*', delay_ms: 5, retry_after_seconds: 5 }, 'retry_after_seconds'],
  ])('refuses the fault %j by the name of the field', async (order, field) => {
    const { status, body } = await fault(order);
    expect([status, body['error_type'], Object.keys(body['error_details'])]).toEqual([400, 'bad_request', [field]]);
    expect((await provider.control('GET', '')).body['faults']).toEqual([]);
  });
});

it('keeps a bounded number of faults, and forgets the oldest ones of tests that were killed', () => {
  const faults = new Faults(systemRandom);
  const order = { call: '*', refuse: 'user_locked' };
  for (let test = 0; test < 210; test += 1) faults.add(`test-${test}`, order);
  expect([faults.list(null).length, faults.list('test-9'), faults.list('test-10').length]).toEqual([200, [], 1]);
  faults.clear(null);
  for (let time = 0; time < 200; time += 1) faults.add(null, order);
  expect(() => faults.add('test', order)).toThrow('There are 200 faults already.');
});
