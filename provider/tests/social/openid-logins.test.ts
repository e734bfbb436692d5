import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { addKind, asTheRealOnes, CLIENTS, likeTheRealOnes, production, type Kind } from '../kit/foreign-kinds.ts';
import { ForeignProviders, type ForeignPerson } from '../kit/foreign-provider.ts';
import { APP, foreignVisitor, HERE, PRODUCTION } from '../kit/foreign-visitor.ts';
import { EITHER_DATABASE, type Provider } from '../kit/harness.ts';

const VERIFIED = { email: 'ada@gmail.com', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' };
const foreign = new ForeignProviders();

beforeAll(() => foreign.start());
beforeEach(() => {
  foreign.intercept = asTheRealOnes;
  foreign.tamper = likeTheRealOnes;
});
afterAll(() => foreign.close());

describe('logins at OpenID providers of another make', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await production(foreign);
  });
  afterAll(() => provider.close());

  /** Logs a new person in, and returns the reply with the first address to which the login went. */
  async function logIn(kind: Kind, claims: Readonly<Record<string, unknown>>) {
    await addKind(foreign, kind);
    const person: ForeignPerson = { sub: `at-${kind}`, ...claims };
    foreign.person = person;
    const visitor = foreignVisitor(provider, foreign);
    const sent = await visitor.leave(kind);
    return { reply: await visitor.authenticate(kind), asked: Object.fromEntries(sent.searchParams), sent };
  }

  it.each<[Kind, object, object]>([
    ['google', {}, { scope: 'openid email profile', code_challenge_method: 'S256' }],
    ['microsoft', { tid: '11111111-2222-4333-8444-555555555555', xms_edov: true }, { code_challenge_method: 'S256' }],
    ['gitlab', {}, { scope: 'openid email profile read_user', code_challenge_method: 'S256' }],
    ['salesforce', {}, { code_challenge_method: 'S256' }],
    ['slack', { 'https://slack.com/team_id': 'T01' }, { code_challenge_method: undefined }],
    ['linkedin', {}, { nonce: undefined, code_challenge_method: undefined }],
    ['twitch', {}, { scope: 'openid user:read:email', code_challenge_method: undefined }],
    ['yahoo', {}, { code_challenge_method: 'S256' }],
    ['my-sso', {}, { scope: 'openid email profile', code_challenge_method: 'S256' }],
  ])('log in by %s', async (kind, claims, asked) => {
    const email = `ada.${kind}@gmail.com`;
    const login = await logIn(kind, { ...VERIFIED, ...claims, email });
    expect(login.reply).toMatchObject({
      provider_type: kind,
      provider_subject: kind === 'slack' ? 'T01-at-slack' : `at-${kind}`,
      user: { emails: [{ email, verified: true }] },
      session: { authentication_factors: [{ delivery_method: `oauth_${kind}` }] },
      provider_values: { id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/u), refresh_token: '' },
    });
    const expected = { client_id: 'our-client', response_type: 'code', ...asked };
    const seen = Object.keys(expected).map((name) => [name, login.asked[name]]);
    expect(Object.fromEntries(seen)).toEqual(expected);
    expect(login.asked['redirect_uri']).toBe(`${HERE}/v1/public/oauth/${kind}/callback`);
    expect(login.asked['state']).toHaveLength(43);
    if (kind !== 'linkedin') expect(login.asked['nonce']).toHaveLength(43);
  });

  it('log in by apple: with a signed secret, an answer by a form, and the name that comes with the first one', async () => {
    await addKind(foreign, 'apple');
    foreign.person = { sub: 'at-apple', email: 'x1@privaterelay.appleid.com', email_verified: 'true' };
    const visitor = foreignVisitor(provider, foreign);
    const started = await visitor.start('apple');
    expect(started.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=None$/u);
    const answer = await visitor.answer('apple');
    expect(answer.form).toMatchObject({ code: expect.any(String), state: expect.any(String) });
    const user = { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'victim@example.com' };
    const form = { ...answer.form, user: JSON.stringify(user) };
    const end = new URL((await visitor.send({ ...answer, form })).headers.get('location') ?? '');
    expect(end.origin + end.pathname).toBe(`${APP}/up`);
    const token = end.searchParams.get('token');
    const reply = await provider.post('/oauth/authenticate', { token, session_duration_minutes: 30 });
    expect(reply.data['user']).toMatchObject({
      name: { first_name: 'Ada', last_name: 'Lovelace' },
      emails: [{ email: 'x1@privaterelay.appleid.com', verified: true }],
    });
    // Later answers have no name, and are logins.
    expect((await visitor.login('apple')).pathname).toBe('/in');
  });

  it.each<Kind>(['my-sso', 'twitch'])(
    'log in by %s where empty texts and null stand for what there is not, and blanks are around the address',
    async (kind) => {
      foreign.tamper = async (url, reply) => {
        const like = await likeTheRealOnes(url, reply);
        const json = (await like
          .clone()
          .json()
          .catch(() => null)) as Record<string, unknown> | null;
        if (json === null) return like;
        if ('issuer' in json) return Response.json({ ...json, end_session_endpoint: '', registration_endpoint: null });
        return 'access_token' in json ? Response.json({ ...json, refresh_token: '', error: null }) : like;
      };
      const email = `pasted.${kind}@gmail.com`;
      const { reply } = await logIn(kind, {
        ...VERIFIED,
        sub: `pasted-${kind}`,
        email: ` ${email}\u00A0`,
        picture: '',
      });
      expect(reply).toMatchObject({
        user: { emails: [{ email, verified: true }] },
        provider_values: { refresh_token: '' },
      });
    },
  );

  it('ask for the address that an ID token leaves empty, and believe what is said beside it alone', async () => {
    const claims = { sub: 'short-token', email: 'short@gmail.com', email_verified: false };
    const withEmpty = async (url: URL, reply: Response): Promise<Response> => {
      const like = await likeTheRealOnes(url, reply);
      const json = (await like
        .clone()
        .json()
        .catch(() => null)) as Record<string, unknown> | null;
      const token = json?.['id_token'];
      if (json === null || typeof token !== 'string') return like;
      const said = decodeJwt(token);
      const id_token = await foreign.idToken({ ...said, email: '', email_verified: true });
      return Response.json({ ...json, id_token });
    };
    foreign.tamper = withEmpty;
    expect((await logIn('my-sso', claims)).reply).toMatchObject({ user: { emails: [] } });
    foreign.tamper = withEmpty;
    const vouched = { ...claims, sub: 'short-vouched', email: 'vouched@gmail.com', email_verified: true };
    expect((await logIn('my-sso', vouched)).reply).toMatchObject({
      user: { emails: [{ email: 'vouched@gmail.com', verified: true }] },
    });
  });

  it('read the discovery document once, and not before the first login', () => {
    const reads = foreign.calls.filter((call) => call.startsWith('GET https://gitlab.com/.well-known'));
    expect(reads).toHaveLength(1);
  });

  it('keep the app’s parameters, but none of those that protect the login', async () => {
    const provider_params = { login_hint: 'ada@gmail.com', state: 'mine', redirect_uri: 'https://evil.example' };
    const sent = await foreignVisitor(provider, foreign).leave('google', {
      provider_params,
      custom_scopes: ['https://www.googleapis.com/auth/calendar'],
    });
    expect(Object.fromEntries(sent.searchParams)).toMatchObject({
      login_hint: 'ada@gmail.com',
      state: expect.stringMatching(/^[\w-]{43}$/u),
      redirect_uri: `${HERE}/v1/public/oauth/google/callback`,
      scope: 'openid email profile https://www.googleapis.com/auth/calendar',
    });
  });

  it('are not offered where the project has no client, or switched the provider off', async () => {
    const visitor = foreignVisitor(provider, foreign);
    for (const name of ['github', 'constructor', '__proto__', 'no-such-sso']) {
      const reply = await visitor.start(name);
      expect([name, reply.status, await reply.json()]).toMatchObject([
        name,
        404,
        { error_type: 'oauth_config_not_found' },
      ]);
    }
    const project = projectFrom({ ...PRODUCTION, oauth_clients: CLIENTS, oauth_providers: ['github'] }, false);
    const app = createApp({ ...provider.services, project });
    expect((await foreignVisitor({ ...provider, app }, foreign).start('google')).status).toBe(404);
  });
});

describe.each(EITHER_DATABASE)('the stored tokens of a social login, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    await addKind(foreign, 'my-sso');
    provider = await production(foreign, url);
  });
  afterAll(() => provider.close());

  it('is the refresh token of the provider, sealed, which is returned again if the provider gives no other', async () => {
    foreign.person = { sub: 'refreshed', ...VERIFIED, email: 'refreshed@example.com' };
    const visitor = foreignVisitor(provider, foreign);
    const offline = { custom_scopes: ['offline_access'], provider_params: { prompt: 'consent' } };
    const first = (await visitor.authenticate('my-sso', offline))['provider_values'];
    expect(first).toMatchObject({ refresh_token: expect.stringMatching(/^[\w-]{20,}$/u) });
    expect(first).toMatchObject({ scopes: ['openid', 'email', 'profile', 'offline_access'] });
    const again = (await visitor.authenticate('my-sso'))['provider_values'];
    expect(again.refresh_token).toBe(first.refresh_token);
    const rows = await provider.services.db.selectFrom('oauth_registrations').selectAll().execute();
    const kept = rows.find(({ provider_subject }) => provider_subject === 'refreshed');
    expect(kept?.refresh_token).toMatch(/^[\w-]{50,}$/u);
    expect(JSON.stringify(rows)).not.toContain(first.refresh_token);
    const newer = (await visitor.authenticate('my-sso', offline))['provider_values'];
    expect(newer.refresh_token).not.toBe(first.refresh_token);
  });
});
