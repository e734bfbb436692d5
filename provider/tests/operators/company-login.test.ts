import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { inviteOperator } from '#provider/operation/operators/desk/operator-store.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { systemClock } from '#provider/base/platform.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { CookieJarOfBrowser } from '../kit/cookie-jar.ts';
import { ForeignProviders, rsaKey } from '../kit/foreign-provider.ts';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import { BY, ORIGIN } from '../kit/operators-browser.ts';

const ISSUER = 'https://sso.acme.example/realms/staff';
const CALLBACK = `${ORIGIN}/operators/company/callback`;
const CLIENT = { client_id: 'ops', client_secret: 'ops-secret' };
const LOGIN = {
  ...CLIENT,
  issuer: ISSUER,
  name: 'Acme',
  roles: { admins: 'admin', helpdesk: 'support', audit: 'auditor' },
  email_domains: ['acme.example'],
};
const GRACE = { sub: 'grace', email: 'grace@acme.example', email_verified: true, groups: ['all', 'audit', 'helpdesk'] };
const MOST_STEPS = 12;

describe.each(EITHER_DATABASE)('operators who log in at their company, on %s', (_, database) => {
  const foreign = new ForeignProviders();
  let provider: Provider;
  let app: ReturnType<typeof operatorsApp>;
  beforeAll(async () => {
    await foreign.start();
    await foreign.add({
      issuer: ISSUER,
      clients: [{ ...CLIENT, redirect_uris: [CALLBACK] }],
      configuration: {
        pkce: { required: () => true },
        claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      },
    });
    const project = projectFrom({ operator_login: LOGIN });
    provider = await makeProvider(database, { project, clock: systemClock });
    const services = { ...provider.services, metrics: NO_METRICS };
    app = operatorsApp(services, { origin: ORIGIN, companyFetch: foreign.fetch() });
  });
  beforeEach(async () => {
    foreign.person = GRACE;
    await provider.services.db.deleteFrom('operators').execute();
  });
  afterEach(() => {
    foreign.tamper = (_url, reply) => reply;
  });
  afterAll(async () => {
    await provider.close();
    await foreign.close();
  });

  /** A browser that goes wherever it is sent. */
  function browser() {
    const jar = new CookieJarOfBrowser();
    async function open(url: string) {
      const cookie = jar.sentTo(url);
      const reply = url.startsWith(`${ORIGIN}/`)
        ? await app.request(url, { headers: { host: new URL(url).host, accept: 'text/html', cookie } })
        : await foreign.visit(new Request(url, { headers: { cookie } }));
      jar.receive(url, reply.headers.getSetCookie());
      return { status: reply.status, location: reply.headers.get('location'), text: await reply.text() };
    }
    /** The address at which the company sends the browser back. */
    async function leave(): Promise<string> {
      let url = `${ORIGIN}/operators/company/start`;
      for (let step = 0; step < MOST_STEPS && !url.startsWith(`${CALLBACK}?`); step += 1) {
        const { location, text } = await open(url);
        if (location === null) throw new Error(text);
        url = new URL(location, url).href;
      }
      return url;
    }
    return {
      open,
      leave,
      logIn: async () => open(await leave()),
      statuses: async (...pages: readonly string[]) =>
        Promise.all(pages.map(async (page) => (await open(`${ORIGIN}/operators/${page}`)).status)),
    };
  }
  const operators = async () =>
    provider.services.db.selectFrom('operators').select(['name', 'role', 'subject']).orderBy('name').execute();

  it('get the first role of their groups, and a session as after a passkey', async () => {
    const grace = browser();
    expect((await grace.open(`${ORIGIN}/operators/login`)).text).toContain('Log in at Acme');
    const { status, text } = await grace.logIn();
    expect([status, text.includes('/operators/entered.js')]).toEqual([200, true]);
    expect(await grace.statuses('users', 'outbox', 'keys', 'audit')).toEqual([200, 200, 403, 403]);
    expect(await operators()).toEqual([{ name: 'grace@acme.example', role: 'support', subject: 'grace' }]);
    const { db } = provider.services;
    const row = await db.selectFrom('audit_log').selectAll().where('event', '=', 'operator_login').orderBy('seq', 'desc').executeTakeFirstOrThrow(); // prettier-ignore
    expect([row.actor_id, row.outcome, row.details]).toEqual([
      'grace@acme.example',
      'ok',
      { role: 'support', issuer: ISSUER },
    ]);
  });

  it('get another role with another group at the next login, and keep their name with another address', async () => {
    const grace = browser();
    await grace.logIn();
    foreign.person = { ...GRACE, email: 'hopper@acme.example', groups: ['helpdesk', 'admins'] };
    await browser().logIn();
    expect(await operators()).toEqual([{ name: 'grace@acme.example', role: 'admin', subject: 'grace' }]);
    expect(await grace.statuses('keys')).toEqual([200]);
  });

  it('lose every session at the next login without a group', async () => {
    const grace = browser();
    await grace.logIn();
    foreign.person = { ...GRACE, groups: ['all'] };
    const { status, text } = await browser().logIn();
    expect([status, text.includes('None of your groups at Acme has a role here')]).toEqual([403, true]);
    expect(await grace.statuses('users')).toEqual([302]);
  });

  it.each<readonly [string, Fields, string]>([
    ['without groups', { groups: undefined }, 'None of your groups at Acme'],
    ['of an unknown group', { groups: ['constructor', 'Admins'] }, 'None of your groups at Acme'],
    ['of groups that are no texts', { groups: [{ admins: true }, 7] }, 'None of your groups at Acme'],
    ['without an address', { email: undefined }, 'says no email address'],
    ['with an address that is not verified', { email_verified: false }, 'a verified address of acme.example'],
    ['with an address of another domain', { email: 'grace@evil.example' }, 'a verified address of acme.example'],
  ])('get nowhere %s', async (_case, fields, reason) => {
    foreign.person = { ...GRACE, ...fields };
    const grace = browser();
    const { status, text } = await grace.logIn();
    expect([status, text.includes(reason)]).toEqual([403, true]);
    expect(await operators()).toEqual([]);
    expect(await grace.statuses('users')).toEqual([302]);
  });

  it('do not become another operator by an address, and no invitation gives them a passkey', async () => {
    const { services } = provider;
    await inviteOperator(services, { name: 'grace@acme.example', role: 'admin' }, BY);
    const { status, text } = await browser().logIn();
    expect([status, text.includes('There is another operator with the name grace@acme.example')]).toEqual([403, true]);
    await services.db.deleteFrom('operators').execute();
    await browser().logIn();
    foreign.person = { ...GRACE, sub: 'mallory', groups: ['admins'] };
    expect((await browser().logIn()).status).toBe(403);
    expect(await operators()).toEqual([{ name: 'grace@acme.example', role: 'support', subject: 'grace' }]);
    const invited = inviteOperator(services, { name: 'grace@acme.example', role: 'admin' }, BY);
    await expect(invited).rejects.toThrow('grace@acme.example logs in at the company');
  });

  it.each<readonly [string, (claims: JWTPayload) => Promise<string>]>([
    ['of another login', (claims) => foreign.idToken({ ...claims, nonce: 'x'.repeat(43) })],
    ['without a nonce', ({ nonce: _nonce, ...claims }) => foreign.idToken(claims)],
    ['for another client', (claims) => foreign.idToken({ ...claims, aud: 'shop' })],
    ['of another issuer', (claims) => foreign.idToken({ ...claims, iss: 'https://sso.evil.example' })],
    ['that has expired', (claims) => foreign.idToken({ ...claims, exp: (claims.iat ?? 0) - 120 })],
    ['by a key of a stranger', async (claims) => foreign.idToken(claims, { key: await rsaKey('stranger') })],
  ])('get nowhere with an ID token %s', async (_case, forge) => {
    foreign.tamper = async (url, reply) => {
      if (url.href !== `${ISSUER}/token`) return reply;
      const json = (await reply.json()) as { readonly id_token: string };
      return Response.json({ ...json, id_token: await forge(decodeJwt(json.id_token)) });
    };
    const { status, text } = await browser().logIn();
    expect([status, text.includes('The login at Acme did not work')]).toEqual([403, true]);
    expect(await operators()).toEqual([]);
    const { db } = provider.services;
    const row = await db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow();
    expect([row.event, row.outcome]).toEqual(['operator_login', 'refused']);
  });

  it('get nowhere with the answer to another browser, a second time, of another provider, or after they refused', async () => {
    const grace = browser();
    const answer = await grace.leave();
    const strange = await browser().open(answer);
    expect([strange.status, strange.text.includes('began in another browser')]).toEqual([400, true]);
    expect((await grace.open(answer)).status).toBe(200);
    expect((await grace.open(answer)).status).toBe(400);
    const other = new URL(await grace.leave());
    other.searchParams.set('iss', 'https://sso.evil.example');
    const foreignAnswer = await grace.open(other.href);
    expect([foreignAnswer.status, foreignAnswer.text.includes('another provider answered')]).toEqual([403, true]);
    const unknown = new URL(await grace.leave());
    unknown.searchParams.set('state', 'x'.repeat(43));
    expect((await grace.open(unknown.href)).status).toBe(400);
    foreign.person = null;
    const refused = await browser().logIn();
    expect([refused.status, refused.text.includes('The login at Acme was not finished')]).toEqual([400, true]);
  });
});

describe('a project without a login of the company', () => {
  it('has no such page', async () => {
    const provider = await makeProvider(EITHER_DATABASE[0]?.[1]);
    const plain = operatorsApp({ ...provider.services, metrics: NO_METRICS }, { origin: ORIGIN });
    const headers = { host: new URL(ORIGIN).host };
    expect((await plain.request(`${ORIGIN}/operators/company/start`, { headers })).status).toBe(404);
    expect(await (await plain.request(`${ORIGIN}/operators/login`, { headers })).text()).not.toContain('company');
    await provider.close();
  });

  it.each([
    [{ roles: {} }, 'operator_login.roles must be an object with the role of one group or more'],
    [{ roles: { staff: 'boss' } }, 'operator_login.roles.staff must be one of admin, reader, support, auditor'],
    [{ issuer: 'http://10.0.0.1' }, 'operator_login.issuer must be https at a public address, unless private is true'],
  ])('is not configured by half: %j', (fields, message) => {
    expect(() => projectFrom({ operator_login: { ...LOGIN, ...fields } }, false)).toThrow(message);
  });
});
