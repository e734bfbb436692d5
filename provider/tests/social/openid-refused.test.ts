import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { OutsideError } from '#provider/base/http/outside-fetch.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { CLIENTS, addKind, production } from '../kit/foreign-kinds.ts';
import { ForeignProviders, rsaKey } from '../kit/foreign-provider.ts';
import { APP, foreignVisitor, PRODUCTION, type Answer } from '../kit/foreign-visitor.ts';
import { ANY_DATABASE, type Provider } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const SSO = 'https://sso.example.org/realms/staff';
const TOKEN = `${SSO}/token`;
const HOUR = 3_600_000;

/** What the app reads of a login that ended without a token. */
const ended = (error: string, words: string) => ({
  at: `${APP}/in`,
  error,
  error_description: `The login with Example Staff ${words}.`,
  provider_type: 'my-sso',
});
const FAILED = ended('server_error', 'did not work');
const LATER = ended('temporarily_unavailable', 'is not possible at the moment');

describe('logins that an OpenID provider does not let end well', () => {
  const foreign = new ForeignProviders();
  const time = { ahead: 0 };
  const clock = { now: () => Date.now() + time.ahead };
  let provider: Provider;
  let visitor: ReturnType<typeof foreignVisitor>;
  beforeAll(async () => {
    await foreign.start();
    await addKind(foreign, 'my-sso');
    provider = await production(foreign, ANY_DATABASE, { clock });
    visitor = foreignVisitor(provider, foreign);
  });
  beforeEach(() => {
    foreign.person = { sub: 'grace', email: 'grace@example.com', email_verified: true };
  });
  afterEach(() => {
    foreign.intercept = () => undefined;
    foreign.tamper = (_, reply) => reply;
    foreign.stalled = null;
    provider.logged.length = 0;
    foreign.calls.length = 0;
    vi.useRealTimers();
  });
  afterAll(async () => {
    await provider.close();
    await foreign.close();
  });

  const endOf = ({ origin, pathname, searchParams }: URL) => ({
    at: origin + pathname,
    ...Object.fromEntries(searchParams),
  });
  /** What the operator reads. */
  const warnings = () => provider.logged.filter((line) => line.startsWith('warning: '));
  /** The id of a user who has verified the address. */
  async function known(email: string): Promise<string> {
    const by = { name: 'operator', address: null, request_id: null };
    const outcome = await importUser(provider.services, { emails: [{ email, verified: true }] }, by);
    if (outcome.result !== 'imported') throw new Error(JSON.stringify(outcome));
    return outcome.user_id;
  }
  const registrations = async () =>
    (await provider.services.db.selectFrom('oauth_registrations').select('provider_subject').execute()).length;

  it('notify the app of a denial, and not the operator', async () => {
    foreign.person = null;
    expect(endOf(await visitor.login('my-sso'))).toEqual(ended('access_denied', 'was denied'));
    expect(warnings()).toEqual([]);
  });

  it.each<[string, (claims: JWTPayload) => Promise<string | undefined>, string]>([
    ['of another login', (claims) => foreign.idToken({ ...claims, nonce: 'x'.repeat(43) }), 'nonce'],
    ['without a nonce', ({ nonce: _nonce, ...claims }) => foreign.idToken(claims), ''],
    ['for another client', (claims) => foreign.idToken({ ...claims, aud: 'their-client' }), 'aud'],
    ['of another issuer', (claims) => foreign.idToken({ ...claims, iss: 'https://accounts.google.com' }), 'iss'],
    ['that has expired', (claims) => foreign.idToken({ ...claims, exp: (claims.iat ?? 0) - 120 }), ''],
    ['without a subject', ({ sub: _sub, ...claims }) => foreign.idToken(claims), ''],
    ['by a stranger’s key', async (claims) => foreign.idToken(claims, { key: await rsaKey('stranger') }), ''],
    ['by no key', (claims) => Promise.resolve(unsigned(claims)), ''],
    [
      'by the client secret',
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('our-secret')),
      '',
    ],
    ['that is missing', () => Promise.resolve(undefined), ''],
  ])('refuse an ID token %s', async (_, forge, claim) => {
    const before = await registrations();
    foreign.tamper = async (url, reply) => {
      if (url.href !== TOKEN) return reply;
      const json = (await reply.json()) as { readonly id_token: string };
      return Response.json({ ...json, id_token: await forge(decodeJwt(json.id_token)) });
    };
    expect(endOf(await visitor.login('my-sso'))).toEqual(FAILED);
    expect(await registrations()).toBe(before);
    expect(warnings()).toEqual([
      expect.stringMatching(/^warning: social login failed provider="my-sso" reason="its (?:ID token|reply) /u),
    ]);
    expect(warnings().join()).toContain(claim === '' ? '' : `(${claim})`);
  });

  it('name the wrong setting to the operator, without its value', async () => {
    const error_description = 'The login with wrong-secret did not work.';
    expect(endOf(await visitor.login('wrong-secret'))).toMatchObject({ error: 'server_error', error_description });
    expect(warnings()).toEqual([
      'warning: social login failed provider="wrong-secret" reason="its token endpoint refused the request (invalid_client): compare client_id and client_secret with those at the provider"',
    ]);
  });

  it.each<[string, () => Response | Promise<Response>, object, string]>([
    ['an error', () => new Response('x', { status: 500 }), LATER, 'sso.example.org answered 500'],
    ['too many requests', () => new Response('x', { status: 429 }), LATER, 'sso.example.org answered 429'],
    ['no connection', () => Promise.reject(unreachable()), LATER, 'sso.example.org cannot be reached'],
    ['a page', () => new Response('<p>Evil words', { headers: { 'content-type': 'text/html' } }), FAILED, 'not valid'],
    ['broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } }), FAILED, 'not valid'],
    ['a redirect', () => Response.redirect('https://evil.example/token'), FAILED, 'not valid'],
    ['evil words', () => Response.json({ error: 'Evil\nwords' }, { status: 400 }), FAILED, 'refused the request"'],
    ['a long reply', () => Promise.reject(new OutsideError('too_large', 'x')), FAILED, 'is too long'],
  ])('end at the app when the token endpoint answers with %s', async (_, answer, end, told) => {
    foreign.intercept = ({ url }) => (url === TOKEN ? answer() : undefined);
    expect(endOf(await visitor.login('my-sso'))).toEqual(end);
    expect(warnings()).toEqual([expect.stringContaining(told)]);
    expect(warnings().join()).not.toContain('Evil');
    expect(foreign.calls.join()).not.toContain('evil.example');
  });

  it('end at the app when the token endpoint does not answer', async () => {
    foreign.stalled = TOKEN;
    expect(endOf(await visitor.login('my-sso'))).toEqual(LATER);
    expect(warnings()).toEqual([expect.stringContaining('sso.example.org did not answer in time')]);
  });

  it('refuse an answer that names no issuer, or another one, and lead nowhere', async () => {
    const changed = async (change: (parameters: URLSearchParams) => void): Promise<Answer> => {
      const url = new URL((await visitor.answer('my-sso')).url);
      change(url.searchParams);
      return { url: url.href };
    };
    for (const answer of [
      await changed((parameters) => parameters.delete('iss')),
      await changed((parameters) => parameters.set('iss', 'https://accounts.google.com')),
      await changed((parameters) => parameters.append('code', 'another')),
    ]) {
      const reply = await visitor.send(answer);
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
    }
    expect(foreign.calls).not.toContain(`POST ${TOKEN}`);
  });

  describe('during an outage', () => {
    const outage = () => {
      foreign.intercept = ({ url }) => {
        if (url.startsWith(SSO) && url !== TOKEN) throw unreachable();
        return undefined;
      };
    };

    it('end at the app before anything was read from the provider', async () => {
      const app = createApp({ ...provider.services, socialFetch: foreign.fetch() });
      const fresh = foreignVisitor({ ...provider, app }, foreign);
      outage();
      expect(endOf(await fresh.leave('my-sso'))).toEqual(LATER);
      expect(warnings()).toEqual([expect.stringContaining('sso.example.org cannot be reached')]);
      // The next login tries again.
      foreign.intercept = () => undefined;
      expect((await fresh.leave('my-sso')).origin).toBe('https://sso.example.org');
    });

    soakIt('go on with the documents of before, for a day', async () => {
      expect(await visitor.authenticate('my-sso')).toMatchObject({ provider_subject: 'grace' });
      outage();
      time.ahead += 2 * HOUR;
      expect(await visitor.authenticate('my-sso')).toMatchObject({ provider_subject: 'grace' });
      time.ahead += 24 * HOUR;
      expect(endOf(await visitor.leave('my-sso'))).toEqual(LATER);
    });
  });

  soakIt('go on when the provider changed its key', async () => {
    await visitor.authenticate('my-sso');
    await foreign.rotate('second');
    await addKind(foreign, 'my-sso');
    // The client library reads a key set at most once a minute.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect(await visitor.authenticate('my-sso')).toMatchObject({ provider_subject: 'grace' });
  });

  it('say which issuer to write, if the one of the provider differs by a slash', async () => {
    foreign.tamper = async (url, reply) =>
      url.pathname.includes('.well-known')
        ? Response.json({ ...((await reply.json()) as object), issuer: `${SSO}/` })
        : reply;
    const app = createApp({ ...provider.services, socialFetch: foreign.fetch() });
    expect(endOf(await foreignVisitor({ ...provider, app }, foreign).leave('my-sso'))).toEqual(FAILED);
    expect(warnings().join('\n')).toContain(
      `its issuer is ${SSO}/, with a slash at the end: write it so in the project`,
    );
  });

  it.each([
    ['names another issuer', { issuer: 'https://accounts.google.com' }],
    ['leads to a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['leads to a page without encryption', { authorization_endpoint: 'http://sso.example.org/auth' }],
    ['leads nowhere', { authorization_endpoint: undefined }],
  ])('do not begin when the discovery document %s', async (_, change) => {
    foreign.tamper = async (url, reply) =>
      url.pathname.includes('.well-known') ? Response.json({ ...((await reply.json()) as object), ...change }) : reply;
    const app = createApp({ ...provider.services, socialFetch: foreign.fetch() });
    expect(endOf(await foreignVisitor({ ...provider, app }, foreign).leave('my-sso'))).toEqual(FAILED);
  });

  it.each([
    ['a domain that nobody listed', 'elsewhere.example', {}],
    ['a subdomain of a listed one', 'sub.example.org', {}],
    ['a domain that ends like a listed one', 'evil-example.org', {}],
    ['any domain where none is listed', 'example.org', { email_domains: [] }],
  ])(
    'link and store no address that an issuer of somebody’s own says to be verified: %s',
    async (_, domain, fields) => {
      const client = { ...CLIENTS['my-sso'], ...fields };
      const project = projectFrom({ ...PRODUCTION, oauth_clients: { ...CLIENTS, 'my-sso': client } }, false);
      const app = createApp({ ...provider.services, project, socialFetch: foreign.fetch() });
      const email = `victim@${domain}`;
      const victim = await known(email);
      foreign.person = { sub: `thief-${domain}`, email, email_verified: true };
      const thief = await foreignVisitor({ ...provider, app }, foreign).authenticate('my-sso');
      expect(thief['user_id']).not.toBe(victim);
      expect(thief['user']).toMatchObject({ emails: [] });
      // The same address of somebody who is new here.
      foreign.person = { sub: `new-${domain}`, email: `new-${email}`, email_verified: true };
      expect((await foreignVisitor({ ...provider, app }, foreign).authenticate('my-sso'))['user']).toMatchObject({
        emails: [],
      });
    },
  );

  soakIt('link an address of a listed domain, in any spelling, and of every domain for *', async () => {
    for (const email_domains of [['Example.org', 'k\u00E4se.example'], ['*']]) {
      const client = { ...CLIENTS['my-sso'], email_domains };
      const project = projectFrom({ ...PRODUCTION, oauth_clients: { ...CLIENTS, 'my-sso': client } }, false);
      const app = createApp({ ...provider.services, project, socialFetch: foreign.fetch() });
      for (const domain of ['EXAMPLE.org', 'xn--kse-qla.example']) {
        const email = `${email_domains.length}@${domain}`;
        const owner = await known(email);
        foreign.person = { sub: `owner-${email}`, email, email_verified: true };
        const login = await foreignVisitor({ ...provider, app }, foreign).authenticate('my-sso');
        expect(login['user_id']).toBe(owner);
      }
    }
  });

  it('do not begin at an address of the operator’s own network', async () => {
    const inside = {
      client_id: 'x',
      client_secret: 'y',
      issuer: 'https://169.254.169.254/latest',
      name: 'Example Staff',
    };
    const project = projectFrom({ ...PRODUCTION, oauth_clients: { 'my-sso': inside } }, false);
    // Over the real network, which refuses before it connects.
    const { socialFetch: _, ...services } = provider.services;
    const app = createApp({ ...services, project });
    expect(endOf(await foreignVisitor({ ...provider, app }, foreign).leave('my-sso'))).toEqual(FAILED);
    expect(warnings()).toEqual([expect.stringContaining('169.254.169.254 is not an https server of the internet')]);
  });
});

const unreachable = (): OutsideError => new OutsideError('unreachable', 'sso.example.org');

function unsigned(claims: JWTPayload): string {
  const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.`;
}
