import { sql } from 'kysely';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT, projectFrom } from '#provider/project/settings/project.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import {
  basic,
  EITHER_DATABASE,
  makeProvider,
  PUBLIC_TOKEN,
  WITHOUT_PKCE,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { hostileValues, SEGMENTS, SOUND, soundValue, TEXTS } from './hostile-values.ts';

const SECRET = 'the-operator-alone-knows-this';

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);

describe.each(EITHER_DATABASE)('requests that no client sends, on %s', (_, url) => {
  let provider: Provider;
  let app: ReturnType<typeof createApp>;
  let session = '';
  beforeAll(async () => {
    const project = {
      ...DEMO_PROJECT,
      ...WITHOUT_PKCE,
      ...projectFrom({
        clients: [
          { client_id: 'app', client_type: 'public', name: 'App', redirect_uris: ['https://app.example/callback'] },
        ],
        trusted_auth_token_profiles: [{ profile_id: 'p', issuer: 'https://issuer.example', audience: 'here' }],
      }),
    };
    provider = await makeProvider(url, {
      project,
      limits: { ...DEFAULT_LIMITS, dailySendsPerAddress: { max: 1000, windowMs: 60_000 } },
    });
    app = createApp({ ...provider.services, adminSecret: SECRET });
  });
  afterAll(() => provider.close());

  /** The number of rows of every table, except the counters of limits and refusals, and the refusals in the audit log and of apps. */
  async function rows(): Promise<Fields> {
    const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('limit_windows', 'audit_counts', 'connection_failures')`.execute(provider.services.db);
    const counts = tables.map(
      ({ name }) =>
        `select '${name}' as name, count(*)::int as count from "${name}"${name === 'audit_log' ? ` where outcome = 'ok'` : ''}`,
    );
    const found = await sql
      .raw<{ name: string; count: number }>(counts.join(' union all '))
      .execute(provider.services.db);
    return Object.fromEntries(found.rows.map(({ name, count }) => [name, count]));
  }

  const headers = (extra: Fields = {}): Record<string, string> => ({
    authorization: basic(PUBLIC_TOKEN, session),
    'content-type': 'application/json',
    ...extra,
  });
  async function send(method: string, path: string, body?: unknown, extra: Fields = {}): Promise<number> {
    provider.traces.length = 0;
    const text = method === 'GET' || body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await app.request(path, { method, headers: headers(extra), ...text });
    const what = `${method} ${path.slice(0, 80)} ${JSON.stringify(body)?.slice(0, 160)}`;
    expect(reply.status, `${what}\n${provider.traces.join('\n')}`).toBeLessThan(500);
    expect(provider.traces, what).toEqual([]);
    await reply.body?.cancel();
    return reply.status;
  }
  const soundBody = ({ body }: Endpoint): Fields =>
    Object.fromEntries(
      Object.entries(body as Record<string, string>)
        .filter(([field, kind]) => field in SOUND || !kind.endsWith('?'))
        .map(([field, kind]) => [field, soundValue(field, kind)]),
    );

  it.each(endpoints.map((endpoint, row) => [endpoint.name, endpoint, row] as const))(
    '%s answers with no 5xx, and stores no row',
    async (__, endpoint, row) => {
      // An earlier call may have ended the session, and the limits do not allow this many mails at once.
      provider.clock.time += 120_000;
      const signedIn = await provider.signIn('hostile@example.com');
      expect(signedIn).toHaveProperty('session_token');
      session = String(signedIn['session_token']);
      const path = (segment: string) => `/sdk/v1${endpoint.path.replaceAll(/:\w+/gu, () => segment)}`;
      const before = await rows();
      if (endpoint.path.includes(':')) {
        for (const segment of oneOf(5, SEGMENTS, row)) {
          const status = await send(endpoint.method, path(segment), soundBody(endpoint));
          // What a client makes of `..` here is the call that lists the first page.
          const isList = endpoint.name === 'sessions.listAfter' && /^(?:\.|%2e){2}$/iu.test(segment);
          expect(status, segment.slice(0, 40)).toBeGreaterThanOrEqual(isList ? 200 : 400);
        }
        expect(await rows()).toEqual(before);
      }
      const fields = Object.entries(endpoint.body as Record<string, string>);
      const item = (body: Fields): unknown => (endpoint.list ? [body] : body);
      let taken = 0;
      for (const [place, [field, kind]] of fields.entries()) {
        if (!SOAK && /^(?:captcha_token|dfp_telemetry_id|locale|.*_template_id)$/u.test(field)) continue;
        for (const [at, value] of hostileValues(kind).entries()) {
          // The fields of an endpoint are read alike: each gets one value of twenty-four, and as many fields get them all.
          if (!SOAK && (at + place) % 24 !== 0) continue;
          provider.clock.time += 1000;
          const status = await send(endpoint.method, path('x'), item({ ...soundBody(endpoint), [field]: value }));
          if (status < 400) taken += 1;
        }
      }
      if (taken === 0) expect(await rows()).toEqual(before);
    },
  );

  it('the other pages and endpoints answer with no 500', async () => {
    const before = await rows();
    const prefixes: readonly (readonly [string, string])[] = [
      ['GET', '/v1/public/oauth/*/start'],
      ['POST', '/v1/public/oauth/*/start'],
      ['GET', '/v1/public/oauth/*/callback'],
      ['GET', '/accounts/*/authorize'],
      ['POST', '/accounts/*/authorize'],
      ['POST', '/accounts/*/token'],
      ['GET', '/accounts/*/userinfo'],
      ['GET', '/accounts/*/jwks'],
      ['GET', '/accounts/pictures/*'],
      ['GET', '/admin/*'],
      ['POST', '/admin/*'],
      ['GET', '/dev/*'],
      ['DELETE', '/dev/*'],
      ['GET', '/oauth2/*'],
      ['POST', '/oauth2/*'],
      ['GET', '/errors/*'],
      ['GET', '/sdk/v1/sessions/jwks/*'],
      ['GET', '/.well-known/*'],
      ['GET', '/*'],
    ];
    const admin = { authorization: `Bearer ${SECRET}` };
    for (const [row, [method, pattern]] of prefixes.entries()) {
      for (const segment of oneOf(3, SEGMENTS, row)) {
        const status = await send(
          method,
          pattern.replace('*', () => segment),
          {},
          pattern.startsWith('/admin') ? admin : {},
        );
        expect(status, `${pattern} ${segment.slice(0, 40)}`).toBeGreaterThanOrEqual(400);
      }
    }
    expect(await rows()).toEqual(before);
  });

  soakIt('hostile queries, forms and fields of the operator cause no 500', async () => {
    // The key of the accounts is made when it is first needed.
    await send('GET', '/accounts/google/jwks');
    const before = await rows();
    const queries = [
      ...SEGMENTS.map((segment) => `a=${segment}&a=${segment}`),
      '&&&=&=',
      'a&'.repeat(2_000),
      '%00=%00',
      '[]=1&__proto__=2',
    ];
    const known = [
      'public_token', 'state', 'code', 'login_redirect_url', 'code_challenge', 'custom_scopes', 'provider_x', 'origin',
      'client_id', 'redirect_uri', 'scope', 'to', 'limit', 'iss', 'error', 'nonce', 'login_hint',
    ]; // prettier-ignore
    const pages = [
      `/v1/public/oauth/google/start?public_token=wrong-${PUBLIC_TOKEN}&`,
      '/v1/public/oauth/google/callback?',
      '/accounts/google/authorize?',
      '/accounts/google/gsi/select?',
      '/accounts/google/userinfo?',
      '/dev/inbox.json?',
      '/oauth2/userinfo?',
    ];
    for (const [row, page] of pages.entries()) {
      for (const query of oneOf(4, queries, row)) await send('GET', page + query);
      for (const segment of oneOf(4, SEGMENTS, row)) {
        await send('GET', page + known.map((name) => `${name}=${segment}`).join('&'));
        await send('GET', page + known.map((name) => `${name}=${segment.slice(0, 300)}`).join('&'));
      }
    }
    const forms = ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect', '/oauth2/userinfo'];
    const accounts = ['/accounts/google/authorize', '/accounts/google/token'];
    const names = ['code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'token', 'state', 'email'];
    for (const [row, path] of [...forms, ...accounts].entries()) {
      for (const segment of oneOf(4, SEGMENTS, row)) {
        for (const grant of ['authorization_code', 'refresh_token', segment]) {
          const fields = names.map((name) => `${name}=${segment}`).join('&');
          const client = path.startsWith('/accounts') ? 'portico-test-client' : 'app';
          const reply = await app.request(path, {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: `grant_type=${grant}&client_id=${client}&${fields}`,
          });
          expect(reply.status, `${path} ${segment.slice(0, 40)}`).toBeLessThan(500);
        }
      }
    }
    for (const [row, action] of ['impersonate', 'trusted-token', 'client-secret', 'toString'].entries()) {
      for (const text of oneOf(2, TEXTS, row)) {
        const body = { user: text, by: text, profile: text, email: text, client: text };
        const status = await send('POST', `/admin/${action}`, body, { authorization: `Bearer ${SECRET}` });
        expect(status).toBeGreaterThanOrEqual(400);
      }
    }
    for (const email of TEXTS) {
      const body = { client_id: 'portico-test-client', email, nonce: email };
      await send('POST', '/accounts/google/gsi/credential', body, { origin: 'http://localhost' });
    }
    expect(await rows()).toEqual(before);
  });

  soakIt('hostile headers cause no 500', async () => {
    const before = await rows();
    const odd = ['', 'Basic', 'Basic !', 'Bearer \u00ff', 'x'.repeat(8_000), '\u00e9\u00ff', ...TEXTS.map((t) => basic(PUBLIC_TOKEN, t)), ...TEXTS.map((t) => basic(t, t))]; // prettier-ignore
    for (const value of oneOf(3, odd)) {
      for (const [method, path] of [
        ['GET', '/sdk/v1/users/me'],
        ['POST', '/oauth2/token'],
        ['GET', '/oauth2/userinfo'],
      ] as const) {
        await send(method, path, {}, { authorization: value });
      }
      const latin = value.replaceAll(/[^\x20-\xff]/gu, '');
      for (const name of ['origin', 'user-agent', 'content-type', 'content-length', 'last-event-id', 'host']) {
        const path = name === 'last-event-id' ? '/dev/inbox/stream' : '/sdk/v1/users/search';
        const method = name === 'last-event-id' ? 'GET' : 'POST';
        await send(method, path, { email: 'a@example.com' }, { [name]: latin });
      }
    }
    expect(await rows()).toEqual(before);
  });

  it('the counters of limits contain no address and no number, whatever its length', async () => {
    await provider.post('/otps/email/login_or_create', { email: 'counted@example.com' });
    await provider.post('/otps/sms/login_or_create', { phone_number: '+14155550123' });
    await provider.post('/otps/authenticate', {
      method_id: 'm'.repeat(200),
      token: '123456',
      session_duration_minutes: 30,
    });
    const { rows: found } = await sql<{ bucket: string }>`select bucket from limit_windows`.execute(
      provider.services.db,
    );
    expect(found.length).toBeGreaterThan(2);
    for (const { bucket } of found) expect(bucket).toMatch(/^[\w-]{43}$/u);
  });
});
