import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import { addKind, asTheRealOnes, CLIENTS, likeTheRealOnes, production, type Kind } from '../kit/foreign-kinds.ts';
import { ForeignProviders } from '../kit/foreign-provider.ts';
import { foreignVisitor, PRODUCTION } from '../kit/foreign-visitor.ts';
import { ANY_DATABASE, EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { browser, type Choice } from '../kit/oauth-harness.ts';
import { CHALLENGED, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { codeOf, isAlive, makeTarget, MINUTES, passkey, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * A social login counts as two factors where the project trusts the provider, its signed ID token says so, and the account was the
 * user's before. Whoever has the mailbox can make an account of its address at any provider, with a second factor of theirs.
 */

const mfa = {
  policy: 'when_enrolled',
  factors: ['totp', 'webauthn', 'recovery_code'],
  trusted_providers: [
    { provider: 'google', amr: ['mfa'] },
    { provider: 'my-sso', amr: ['mfa'] },
    { provider: 'gitlab', amr: ['mfa'] },
  ],
};
const TWO: Choice = { verified: 'yes', two_factors: 'yes' };

describe.each(EITHER_DATABASE)('a social login that says it had two factors, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa, oauth_clients: { 'my-sso': CLIENTS['my-sso'] } });
  });
  afterAll(() => provider.close());

  async function socially(name: OAuthProvider, choice: Choice, session?: string): Promise<Fields> {
    const token = await browser(provider).token(name, choice);
    const extras = session === undefined ? {} : { session };
    return (await provider.post('/oauth/authenticate', { token, ...MINUTES, ...CHALLENGED }, extras)).data;
  }
  /** A user with an authenticator app who has connected an account in a session of both factors. */
  async function connected(name: OAuthProvider) {
    const user = await makeGuarded(provider, uniqueEmail('connected'));
    const { user_id } = await socially(name, { email: user.email, verified: 'yes' }, user.session);
    return { ...user, user_id };
  }
  const accountsOf = async (user_id: unknown) =>
    provider.services.db.selectFrom('oauth_registrations').selectAll().where('user_id', '=', String(user_id)).execute();

  it('begins a session of two factors, whose tokens say so', async () => {
    const { email, user_id } = await connected('google');
    const { session, session_jwt } = await socially('google', { email, ...TWO });
    expect(session).toMatchObject({
      user_id,
      authentication_factors: [{ delivery_method: 'oauth_google', amr: ['mfa'] }],
    });
    expect(decodeJwt(String(session_jwt))).toMatchObject({ acr: 'urn:portico:aal2', amr: ['mfa'] });
  });

  it('is one factor where the token does not say it, and at a provider that the project does not trust', async () => {
    const { email } = await connected('google');
    expect((await socially('google', { email, verified: 'yes' }))['session']).toBeNull();
    const other = await connected('microsoft');
    expect((await socially('microsoft', { email: other.email, ...TWO }))['session']).toBeNull();
  });

  it('is one factor for an account that a thief made of the address, however often it logs in', async () => {
    const owner = await makeGuarded(provider, uniqueEmail('owner'));
    for (let turn = 0; turn < 2; turn += 1) {
      const reply = await socially('google', { email: owner.email, ...TWO });
      expect(reply).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'] } });
      expect(await accountsOf(reply['user_id'])).toEqual([]);
    }
  });

  it('is not stored by the mailbox alone where the second factor is a passkey', async () => {
    const email = uniqueEmail('keyed');
    const first = await provider.signIn(email);
    const added = await (await passkey(provider).begin(String(first['session_token'])))();
    expect(added.status).toBe(200);
    for (let turn = 0; turn < 2; turn += 1) {
      const reply = await socially('google', { email, ...TWO });
      expect(reply).toMatchObject({ user_id: first['user_id'], session: null, mfa: { factors: ['webauthn'] } });
      expect(await accountsOf(reply['user_id'])).toEqual([]);
    }
  });

  it('is two factors for the person whom it signs up, and for nobody to whom it is attached in a session', async () => {
    const email = uniqueEmail('new');
    const { session } = await socially('google', { email, ...TWO });
    expect(session.authentication_factors).toMatchObject([{ amr: ['mfa'] }]);
    const plain = await provider.signIn(uniqueEmail('plain'));
    const attached = await socially(
      'google',
      { email: uniqueEmail('elsewhere'), ...TWO },
      String(plain['session_token']),
    );
    expect(attached['user_id']).not.toBe(plain['user_id']);
  });

  it('counts no more once the project trusts the provider no more', async () => {
    const { email } = await connected('google');
    const { session_token } = await socially('google', { email, ...TWO });
    expect(await isAlive(provider, session_token)).toBe(true);
    const { services } = provider;
    const { project } = services;
    const trusting = { ...project };
    Object.assign(project, projectFrom({ ...project, mfa: { ...mfa, trusted_providers: [] } }));
    try {
      expect(await isAlive(provider, session_token)).toBe(false);
    } finally {
      Object.assign(project, trusting);
    }
  });

  soakIt('is completed by the authenticator app where it is one factor', async () => {
    const { email, secret } = await connected('google');
    const thief = new LoginBrowser(provider);
    const token = await browser(provider).token('google', { email, verified: 'yes' });
    await thief.post('/oauth/authenticate', { token, ...MINUTES });
    provider.clock.time += 30_000;
    const done = await thief.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES });
    expect(done.data['session'].authentication_factors).toHaveLength(2);
  });
});

describe('a login at an OpenID provider of another make that the project trusts', () => {
  const foreign = new ForeignProviders();
  let provider: Provider;
  beforeAll(async () => {
    await foreign.start();
    foreign.intercept = asTheRealOnes;
    const project = projectFrom({ ...PRODUCTION, oauth_clients: CLIENTS, mfa: { ...mfa, policy: 'required' } }, false);
    provider = await production(foreign, ANY_DATABASE, { project });
  });
  afterAll(async () => {
    await provider.close();
    await foreign.close();
  });

  /** Logs in at a provider that adds the claims to its ID token, or to the reply of its userinfo endpoint. */
  async function logIn(kind: Kind, claims: { readonly signed?: object; readonly userinfo?: object }): Promise<Fields> {
    await addKind(foreign, kind);
    foreign.person = { sub: `at-${kind}`, email: `ada.${kind}@gmail.com`, email_verified: true };
    foreign.tamper = async (at, reply) => {
      const like = await likeTheRealOnes(at, reply);
      if (!/token$|userinfo$|\/me$/u.test(at.pathname) || like.status !== 200) return like;
      const json = (await like.json()) as Fields;
      if (json['id_token'] === undefined) return Response.json({ ...json, ...claims.userinfo });
      const id_token = await foreign.idToken({ ...decodeJwt(String(json['id_token'])), ...claims.signed });
      return Response.json({ ...json, id_token });
    };
    const visitor = foreignVisitor(provider, foreign);
    await visitor.leave(kind);
    return visitor.authenticate(kind);
  }

  it('has two factors by the `amr` of the signed ID token, and not by that of the userinfo endpoint', async () => {
    const amr = ['pwd', 'mfa'];
    expect(await logIn('my-sso', { signed: { amr } })).toMatchObject({ session: { user_id: expect.any(String) } });
    expect(await logIn('my-sso', { signed: { amr: ['pwd'] } })).toMatchObject({ session: null });
    expect(await logIn('my-sso', { signed: { amr: 'mfa', acr: 'mfa' } })).toMatchObject({ session: null });
    expect(await logIn('gitlab', { userinfo: { amr } })).toMatchObject({ session: null });
    expect(foreign.calls.some((call) => call.startsWith('GET https://gitlab.com/'))).toBe(true);
    expect(await logIn('gitlab', { signed: { amr } })).toMatchObject({ session: { user_id: expect.any(String) } });
  });
});
