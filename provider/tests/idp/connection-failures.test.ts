import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listFailures } from '../../src/apps/idp/connection-failures.ts';
import { operatorsApp } from '../../src/operation/operators/app.ts';
import { perform } from '../../src/operation/operators/commands.ts';
import { sweep } from '../../src/operation/retention/sweep.ts';
import { NO_METRICS } from '../../src/base/metrics/metrics.ts';
import { AGENT_CALLBACK, documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import {
  CALLBACK,
  challenge,
  ISSUER,
  makeApps,
  REQUEST,
  SECRET,
  verifier,
  visited,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';
import { operatorsBrowser, ORIGIN } from '../kit/operators-browser.ts';
import { registrar } from '../kit/registrar.ts';
import { FILES, MAIL, RESOURCES, resourceSteps } from '../kit/resource-steps.ts';

const AGENTS = { metadata_documents: true, registration: 'open', scopes: ['openid', 'email'] };
const QUERY = {
  client_id: 'planner',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid email',
  code_challenge: challenge,
};
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

describe.each(EITHER_DATABASE)('failed connections, on %s', (_, url) => {
  let apps: Apps;
  let host: DocumentHost;
  let operators: ReturnType<typeof operatorsApp>;
  beforeAll(async () => {
    host = await documentHost();
    apps = await makeApps(url, { agents: AGENTS, resources: RESOURCES });
    operators = operatorsApp({ ...apps.provider.services, metrics: NO_METRICS }, { origin: ORIGIN });
  });
  afterAll(async () => {
    await Promise.all([apps.provider.close(), host.close()]);
  });
  beforeEach(async () => {
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await apps.provider.services.db.deleteFrom('limit_windows').execute();
  });
  const { register } = registrar(() => apps.provider);
  const steps = resourceSteps(() => apps);
  const browser = operatorsBrowser(() => ({ provider: apps.provider, app: operators }));

  /** The only failure, as a developer reads it. */
  const failure = async (): Promise<Fields> => {
    const listed = (await apps.get('/dev/connections.json')).body as unknown as readonly Fields[];
    expect(listed).toHaveLength(1);
    const { sent, rule, ...others } = listed[0] ?? {};
    return { ...others, sent: Object.fromEntries(sent as [string, string][]), ...(rule as object) };
  };

  it.each<[string, Fields, Fields]>([
    [
      'redirect',
      { redirect_uri: `${CALLBACK}/` },
      { name: 'redirect', expected: [CALLBACK], source: 'RFC 9700, section 2.1', error: 'invalid_redirect_uri' },
    ],
    [
      'resource',
      { resource: `${FILES}/` },
      {
        name: 'resource',
        expected: [FILES, MAIL, expect.stringContaining(ISSUER)],
        source: 'RFC 8707, section 2',
        error: 'invalid_target',
      },
    ],
    ['client', { client_id: 'nobody' }, { name: 'client', error: 'connected_app_not_found' }],
    [
      'PKCE',
      { code_challenge: undefined },
      { name: 'proof_key', source: 'RFC 7636, section 4.2', error: 'pkce_code_challenge_required' },
    ],
    ['request', { response_type: 'token' }, { name: 'request', error: 'unsupported_response_type' }],
    ['request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, { name: 'request_object' }],
  ])(
    'the authorization endpoint records the %s: what was sent, what was expected, and the rule',
    async (_w, sent, told) => {
      await apps.visit('/authorize', { ...QUERY, ...sent });
      const found = await failure();
      expect(found).toMatchObject({
        ...told,
        step: 'authorization endpoint',
        client_id: sent['client_id'] ?? 'planner',
      });
      for (const [name, value] of Object.entries(sent)) {
        if (name === 'client_id') continue;
        const isHidden = name === 'request';
        expect((found['sent'] as Fields)[name]).toBe(
          value === undefined ? '(absent)' : isHidden ? `(${String(value).length} characters, not stored)` : value,
        );
      }
    },
  );

  it('a scope that the app may not have is recorded with those that it may', async () => {
    const { body } = await register({ redirect_uris: [AGENT_CALLBACK], token_endpoint_auth_method: 'none' });
    const client_id = String(body['client_id']);
    await apps.visit('/authorize', { ...QUERY, client_id, redirect_uri: AGENT_CALLBACK, scope: 'openid write' });
    expect(await failure()).toMatchObject({
      name: 'scope',
      expected: ['openid', 'email'],
      sent: { scope: 'openid write' },
      source: 'RFC 6749, section 3.3',
      client_id,
    });
  });

  it('a metadata document that is wrong, and a registration, are recorded with the reason', async () => {
    const client_id = host.publish('/wrong.json', { client_id: 'https://elsewhere.example/' });
    await apps.visit('/authorize', { ...QUERY, client_id });
    expect(await failure()).toMatchObject({
      name: 'metadata_document',
      client_id,
      message: 'client_id in the document of the app is not its address.',
      source: 'draft-ietf-oauth-client-id-metadata-document',
    });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await register({ redirect_uris: ['http://app.example/?token=seekrit'], token_endpoint_auth_method: 'none' });
    expect(await failure()).toMatchObject({
      step: 'registration endpoint',
      name: 'registered_redirect',
      sent: { redirect_uris: 'http://app.example/?token=…', token_endpoint_auth_method: 'none' },
    });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await register({ redirect_uris: [AGENT_CALLBACK], grant_types: ['password'] });
    expect(await failure()).toMatchObject({ name: 'client_metadata', sent: { grant_types: 'password' } });
  });

  it('the token endpoint records what its answer hides: the redirect URI, the verifier and the client of a code', async () => {
    const code = await apps.codeFor();
    const wrong = await apps.redeem({ code, redirect_uri: `${CALLBACK}?a=seekrit` });
    expect(wrong.body['error_description']).not.toContain(CALLBACK);
    expect(await failure()).toMatchObject({
      step: 'token endpoint',
      name: 'redirect_of_code',
      message: expect.stringContaining(`The authorization request had ${CALLBACK}.`),
      sent: { redirect_uri: `${CALLBACK}?a=…`, grant_type: 'authorization_code' },
    });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await apps.redeem({ code, code_verifier: `${verifier}x` });
    expect(await failure()).toMatchObject({ name: 'verifier', source: 'RFC 7636, section 4.6' });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await apps.redeem({ code, client_id: 'other' });
    expect(await failure()).toMatchObject({
      message: expect.stringContaining('of another client'),
      client_id: 'other',
    });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await apps.redeem({ code, client_id: undefined }, withSecret('server', 'a wrong secret'));
    expect(await failure()).toMatchObject({
      name: 'client_authentication',
      client_id: 'server',
      sent: { token_endpoint_auth_method: 'client_secret_basic' },
      expected: ['the secret, by client_secret_basic or client_secret_post'],
    });
  });

  it('a token for another API is recorded where it is presented: at userinfo, and by an API that asks', async () => {
    const { access_token } = (await steps.redeem(await steps.allow([FILES]))).body;
    expect((await apps.userinfo(access_token)).status).toBe(401);
    expect(await failure()).toMatchObject({
      step: 'userinfo endpoint',
      name: 'audience',
      sent: { 'aud of the token': FILES, 'client_id of the token': 'planner' },
      expected: [expect.stringContaining(ISSUER)],
      source: 'RFC 9068, section 4',
    });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    const other = (await steps.redeem(await steps.allow([MAIL], 'openid'))).body['access_token'];
    const asked = await apps.form('/introspect', { token: other }, withSecret('server', SECRET));
    expect(asked.body).toEqual({ active: false });
    expect(await failure()).toMatchObject({
      step: 'introspection endpoint',
      name: 'audience',
      client_id: 'server',
      sent: { 'aud of the token': MAIL },
      expected: ['tokens of server', FILES],
    });
  });

  it('records what the page refuses, and a pushed request', async () => {
    await apps.start({ redirect_uri: 'https://evil.example/' });
    expect(await failure()).toMatchObject({ step: 'consent page', name: 'redirect', expected: [CALLBACK] });
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await apps.form('/par', { ...QUERY, redirect_uri: 'https://evil.example/' });
    expect(await failure()).toMatchObject({ step: 'pushed request endpoint', name: 'redirect', expected: [CALLBACK] });
  });

  it('records nothing of what goes well, of what a user decides, and of usual answers of a protocol', async () => {
    const { refresh_token } = await apps.tokensFor();
    await apps.refresh(refresh_token);
    await apps.submit({ consent_granted: false });
    await apps.visit('/authorize', { ...QUERY, prompt: 'none' });
    await apps.provider.post('/idp/oauth/authorize/start', REQUEST);
    await apps.submit({ prompt: 'none', scopes: ['openid', 'phone'] });
    await apps.form('/introspect', { token: 'x' }, withSecret('server', SECRET));
    await apps.get('/oauth2/userinfo');
    expect((await apps.get('/dev/connections.json')).body).toEqual([]);
  });

  it('stores no secret, code, token or hint, wherever the app puts it', async () => {
    const secret = 'seekrit0123456789';
    const redirect_uri = `https://${secret}:${secret}@evil.example/cb?state=${secret}&${secret}#${secret}`;
    const hidden = Object.fromEntries(
      ['state', 'nonce', 'login_hint', 'id_token_hint', 'code', 'code_challenge', 'request'].map((name) => [
        name,
        secret,
      ]),
    );
    await apps.visit('/authorize', { ...QUERY, ...hidden, redirect_uri, resource: `${FILES}?token=${secret}` });
    const grant = { client_secret: secret, refresh_token: secret, device_code: secret, code: secret, token: secret };
    for (const grant_type of [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'x',
    ]) {
      await apps.form('/token', { client_id: 'planner', grant_type, code_verifier: secret, ...grant, redirect_uri });
    }
    await apps.form(
      '/token',
      { grant_type: 'refresh_token', ...grant, client_secret: undefined },
      withSecret('server', secret),
    );
    await apps.form('/par', { ...QUERY, ...hidden, redirect_uri });
    await register(
      { redirect_uris: [redirect_uri], client_secret: secret, contacts: [secret], logo_uri: secret },
      secret,
    );
    await apps.userinfo(secret);
    const { failures } = await listFailures(apps.provider.services, { limit: 100 });
    expect(failures.length).toBeGreaterThan(5);
    expect(JSON.stringify(failures)).not.toContain(secret);
    expect(JSON.stringify(failures)).toContain('https://…@evil.example/cb?state=…&…#…');
  });

  it('the same failure is counted, and the pages show it once, escaped', async () => {
    const client_id = `https://${'a'.repeat(20)}.example/${HOSTILE}`;
    const sent = { ...QUERY, client_id, scope: HOSTILE, prompt: HOSTILE };
    await Promise.all(Array.from({ length: 10 }, async () => apps.visit('/authorize', sent)));
    expect(await failure()).toMatchObject({ times: 10, sent: { scope: HOSTILE } });
    const page = await visited(apps.provider, new URL(`${ISSUER}/dev/connections`));
    const { cookie } = await browser.enrolled('Grace', 'reader');
    const operatorPage = await browser.get('connections', cookie);
    for (const { text, headers } of [page, operatorPage]) {
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text).toContain('10 times');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const filtered = await browser.get(`connections?client=${encodeURIComponent('planner')}`, cookie);
    expect(filtered.text).toContain('No app was refused in the last seven days.');
    const { rows } = await perform(apps.provider.services, 'connections.list', { client: client_id });
    expect(rows).toMatchObject([{ client_id, times: 10 }]);
  });

  it('shows no character that turns the text around it, and cuts between characters', async () => {
    const odd = `${'x'.repeat(511)}😀\u202E\u001B[31m`;
    await apps.visit('/authorize', {
      ...QUERY,
      client_id: `a\u202E${'😀'.repeat(300)}`,
      scope: odd,
      prompt: '\u001B[2J',
    });
    const found = await failure();
    expect(found['client_id']).toMatch(/^a�(?:😀){127}$/u);
    expect(found['sent']).toMatchObject({ scope: `${'x'.repeat(511)}�`, prompt: '�[2J' });
    expect(apps.provider.traces).toEqual([]);
  });

  it('hides what stands for a user or a value in an address, however it is written', async () => {
    const hidden = 'c2VjcmV0LXNlY3JldA';
    for (const address of [
      `https:/u:${hidden}@evil.example/`,
      `https:\\\\u:${hidden}@evil.example/`,
      `com.example.app:/u:${hidden}@x/y`,
      `https://evil.example/?${hidden}${hidden}==`,
      `https://evil.example/#${hidden}`,
      hidden,
    ]) {
      await apps.visit('/authorize', { ...QUERY, redirect_uri: address });
    }
    const { failures } = await listFailures(apps.provider.services, { limit: 100 });
    expect(failures).toHaveLength(6);
    expect(JSON.stringify(failures)).not.toContain(hidden);
  });

  it('with --dev the error page leads to the reasons', async () => {
    const { text } = await apps.visit('/authorize', { ...QUERY, client_id: 'nobody' });
    expect(text).toContain('href="/dev/connections"');
  });

  it('ends after seven days, keeps 50 of each client, and strangers do not drive out those of an app', async () => {
    const { db, clock } = apps.provider.services;
    const seed = async (owner: string, count: number) => {
      const rows = Array.from({ length: count }, (__, place) => ({
        failure_id: `${owner}-${place}`,
        owner,
        client_id: owner === '' ? `stranger-${place}` : owner,
        step: 'token endpoint',
        rule: 'grant',
        error: 'invalid_grant',
        message: '',
        sent: '[]',
        expected: '[]',
        created_at: new Date(clock.now() - 1000 + place),
        last_at: new Date(clock.now() - 1000 + place),
        expires_at: new Date(clock.now() + MINUTE),
      }));
      await db.insertInto('connection_failures').values(rows).execute();
    };
    const of = async (client_id: string) => (await listFailures({ db, clock }, { limit: 100, client_id })).failures;
    await seed('planner', 60);
    await apps.visit('/authorize', { ...QUERY, redirect_uri: 'https://planner.example/newest' });
    const kept = await of('planner');
    expect(kept).toHaveLength(50);
    expect([kept[0]?.sent, kept.at(-1)?.failure_id]).toEqual([
      expect.arrayContaining([['redirect_uri', 'https://planner.example/newest']]),
      'planner-11',
    ]);
    await seed('', 60);
    await apps.visit('/authorize', { ...QUERY, client_id: 'a-stranger' });
    expect(await of('planner')).toHaveLength(50);
    const strangers = await db.selectFrom('connection_failures').select('failure_id').where('owner', '=', '').execute();
    expect(strangers).toHaveLength(50);
    apps.provider.clock.time += 7 * 24 * 60 * MINUTE + 1;
    expect(await of('planner')).toEqual([]);
    apps.provider.clock.time += 61 * MINUTE;
    await sweep(apps.provider.services);
    expect(await db.selectFrom('connection_failures').select('failure_id').execute()).toEqual([]);
    await apps.signInAgain();
  });

  it('of one network 30 in ten minutes are recorded, so that no stranger fills the list', async () => {
    const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
    const visit = async (count: number, address: string) =>
      apps.provider.app.request(
        `${ISSUER}/oauth2/authorize?${new URLSearchParams({ ...QUERY, client_id: `s${count}` }).toString()}`,
        { headers: { accept: 'text/html' } },
        from(address),
      );
    const replies = await Promise.all(Array.from({ length: 45 }, async (__, count) => visit(count, '203.0.113.7')));
    // Whoever is over the limit gets the same answer.
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]));
    const stored = async () => (await listFailures(apps.provider.services, { limit: 100 })).failures.length;
    expect(await stored()).toBe(30);
    await visit(99, '198.51.100.7');
    expect(await stored()).toBe(31);
  });

  it('pages through the list by a cursor, and refuses one that is none', async () => {
    for (const client_id of ['a', 'b', 'c']) await apps.visit('/authorize', { ...QUERY, client_id });
    const seen: string[] = [];
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const { failures, next }: Awaited<ReturnType<typeof listFailures>> =
        // oxlint-disable-next-line no-await-in-loop -- each page names the next
        await listFailures(apps.provider.services, { limit: 1, after });
      seen.push(...failures.map(({ client_id }) => client_id));
      after = next ?? undefined;
    }
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    await expect(perform(apps.provider.services, 'connections.list', { after: 'x' })).rejects.toThrow('cursor');
  });

  it('a database that stores no failure does not change the answer', async () => {
    const { db } = apps.provider.services;
    await db.schema.alterTable('connection_failures').renameTo('elsewhere').execute();
    try {
      const { status } = await apps.visit('/authorize', { ...QUERY, client_id: 'nobody' });
      expect(status).toBe(404);
      expect(apps.provider.traces.splice(0)).not.toEqual([]);
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('connection_failures').execute();
    }
  });
});
