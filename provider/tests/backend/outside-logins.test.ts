import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { browser, CHALLENGE, VERIFIER, type Choice } from '../kit/oauth-harness.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';

describe.each(EITHER_DATABASE)('logins from outside by the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    const { issuer: _issuer, ...settings } = SETTINGS;
    backend = await startBackend(database, { project: projectFrom(settings) });
  });
  afterAll(() => backend.close());
  const signIn = async (email: string) => backend.provider.signIn(email);

  describe('a social account', () => {
    let visitor: ReturnType<typeof browser> | undefined;
    const social = () => (visitor ??= browser(backend.provider));
    const authenticate = async (token: string, fields: Fields = {}) =>
      backend.client.oauth.authenticate({ token, session_duration_minutes: 60, ...fields });
    const attach = async (fields: Fields) =>
      (await backend.client.oauth.attach({ provider: 'google', ...fields })).oauth_attach_token;
    const options = (oauth_attach_token: string) => ({ oauth_attach_token, code_challenge: CHALLENGE });
    const start = async (attachToken: string) => social().start('google', options(attachToken));
    /** The end of the whole login, as the app's own server redeems its token. */
    const attached = async (attachToken: string, choice: Choice, fields: Fields = {}) =>
      authenticate(await social().token('google', choice, options(attachToken)), {
        code_verifier: VERIFIER,
        ...fields,
      });

    it('logs its user in, once, with the verifier of its challenge', async () => {
      const token = await social().token(
        'google',
        { email: 'olga@example.com', verified: 'yes' },
        { code_challenge: CHALLENGE },
      );
      expect(await refusalOf(authenticate(token))).toMatchObject({ error_type: 'pkce_expected_code_verifier' });
      const session_custom_claims = { from: 'google' };
      const login = await authenticate(token, { code_verifier: VERIFIER, session_custom_claims });
      expect(login).toMatchObject({
        provider_type: 'google',
        provider_subject: expect.any(String),
        provider_values: { access_token: expect.any(String), scopes: expect.arrayContaining(['openid']) },
        user: { emails: [{ email: 'olga@example.com', verified: true }] },
        user_session: { custom_claims: session_custom_claims },
        reset_sessions: false,
      });
      expect(login.user.providers.map((each) => each.oauth_user_registration_id)).toEqual([
        login.oauth_user_registration_id,
      ]);
      expect(await refusalOf(authenticate(token))).toMatchObject({
        status_code: 404,
        error_type: 'oauth_token_not_found',
      });
    });

    it('joins the session that the server presents', async () => {
      const user = await signIn('otto@example.com');
      const token = await social().token('google', { email: 'otto@example.com', verified: 'yes' });
      const joined = await authenticate(token, {
        session_jwt: user['session_jwt'],
        session_duration_minutes: undefined,
      });
      expect(joined.user_session).toMatchObject({ session_id: user['session'].session_id });
      expect(joined.user_session?.authentication_factors.map(({ type }) => type)).toEqual(['otp', 'oauth']);
    });

    it('is attached to the user of a token, whatever its address, and to no second user', async () => {
      const [anna, berta] = [await signIn('anna@example.com'), await signIn('berta@example.com')];
      const choice = { email: 'someone.else@example.com', verified: 'yes' } as const;
      expect(await attached(await attach({ user_id: anna['user_id'] }), choice)).toMatchObject({
        user_id: anna['user_id'],
        user: { emails: [{ email: 'anna@example.com' }] },
        session: null,
      });
      const session_token = String(berta['session_token']);
      const forBerta = await attach({ session_token });
      const refused = attached(forBerta, choice, { session_token });
      expect(await refusalOf(refused)).toMatchObject({ error_type: 'oauth_flow_callback_error' });
      const old = await attach({ user_id: anna['user_id'] });
      const forGithub = await attach({ provider: 'github', user_id: anna['user_id'] });
      backend.provider.clock.time += 5 * MINUTE;
      for (const useless of [old, forBerta, forGithub, 'x']) expect((await start(useless)).status).toBe(404);
      backend.provider.clock.time -= 5 * MINUTE;
      for (const useless of [forBerta, forGithub]) expect((await start(useless)).status).toBe(404);
      expect((await start(old)).status).toBe(303);
    });

    it('is not attached once the session has ended in which its user asked for it', async () => {
      const { user_id, session_token } = (await signIn('dora@example.com')) as Record<string, string>;
      const token = await attach({ session_token });
      await backend.client.sessions.revoke({ session_token: session_token ?? '' });
      const refused = attached(token, { email: 'thief@example.com', verified: 'yes' }, { session_token });
      expect(await refusalOf(refused)).toMatchObject({ error_type: 'session_not_found' });
      expect((await backend.client.users.get({ user_id: user_id ?? '' })).providers).toEqual([]);
      const again = { session_token: (await signIn('dora@example.com'))['session_token'] };
      const choice = { email: 'dora@work.example', verified: 'yes' } as const;
      expect(await attached(await attach(again), choice, again)).toMatchObject({ user_id });
    });

    it('is not attached for an unknown provider, without a user, for two users or in an ended session', async () => {
      const { user_id, session_token } = await signIn('clara@example.com');
      const wrong: [Fields, string][] = [
        [{ user_id, provider: 'myspace' }, 'oauth_config_not_found'],
        [{}, 'bad_request'],
        [{ user_id, session_token }, 'bad_request'],
        [{ user_id: 'nobody' }, 'user_not_found'],
        [{ session_token: 'x' }, 'session_not_found'],
      ];
      for (const [fields, error_type] of wrong) {
        expect([fields, await refusalOf(attach(fields))]).toMatchObject([fields, { error_type }]);
      }
    });
  });

  describe('a wallet', () => {
    const wallets = () => backend.client.cryptoWallets;
    const named = (wallet: SoftwareWallet) => ({
      crypto_wallet_address: wallet.address,
      crypto_wallet_type: wallet.type,
    });
    const sign = async (wallet: SoftwareWallet, asked: Fields = {}, fields: Fields = {}) => {
      const { challenge } = await wallets().authenticateStart({ ...named(wallet), ...asked });
      return wallets().authenticate({ ...named(wallet), signature: wallet.sign(challenge), ...fields });
    };

    it('logs its user in, who is made at the first login', async () => {
      const wallet = new SoftwareWallet();
      const uri = 'http://localhost:3000/wallet';
      const siwe_params = { domain: 'localhost:3000', uri, chain_id: '5', resources: ['https://docs.example/'] };
      const started = await wallets().authenticateStart({ ...named(wallet), siwe_params });
      expect(started).toMatchObject({ user_id: '', user_created: false, challenge: expect.stringContaining(uri) });
      const signature = wallet.sign(started.challenge);
      const login = await wallets().authenticate({ ...named(wallet), signature, session_duration_minutes: 60 });
      expect(login.session?.authentication_factors).toMatchObject([{ type: 'crypto' }]);
      expect(login.siwe_params).toEqual({ ...siwe_params, status_code: 200, issued_at: expect.any(String) as string });
      expect(login.user.crypto_wallets).toMatchObject([{ crypto_wallet_address: wallet.address }]);
      const replayed = wallets().authenticate({ ...named(wallet), signature });
      expect(await refusalOf(replayed)).toMatchObject({ error_type: 'crypto_wallet_challenge_not_found' });
      expect(await wallets().authenticateStart(named(wallet))).toMatchObject({ user_id: login.user_id });
      expect(await sign(wallet)).toMatchObject({ user_id: login.user_id, session: null, session_token: '' });
    });

    it('is added to the user that the server names, or of the session that it presents', async () => {
      const { user_id, session_token } = await signIn('wanda@example.com');
      const [first, second] = [new SoftwareWallet(), new SoftwareWallet()];
      expect(await sign(first, { user_id })).toMatchObject({ user_id, session: null });
      const joined = await sign(second, { session_token }, { session_token });
      expect(joined).toMatchObject({
        user_id,
        session: { authentication_factors: [{ type: 'otp' }, { type: 'crypto' }] },
      });
      expect(joined.user.crypto_wallets).toHaveLength(2);
      const other = await signIn('walter@example.com');
      const taken = sign(first, { user_id: other['user_id'] });
      expect(await refusalOf(taken)).toMatchObject({ error_type: 'duplicate_crypto_wallet' });
    });

    it('is refused with another signature, address, type or site', async () => {
      const wallet = new SoftwareWallet();
      const { challenge } = await wallets().authenticateStart(named(wallet));
      const signature = new SoftwareWallet().sign(challenge);
      const stranger = wallets().authenticate({ ...named(wallet), signature });
      expect(await refusalOf(stranger)).toMatchObject({ error_type: 'invalid_crypto_wallet_signature' });
      const elsewhere = { domain: 'evil.example', uri: 'https://evil.example/', resources: [] };
      const wrong: [Fields, string][] = [
        [{ crypto_wallet_address: '0x1' }, 'invalid_crypto_wallet_address'],
        [{ crypto_wallet_type: 'bitcoin' }, 'invalid_crypto_wallet_type'],
        [{ siwe_params: elsewhere }, 'invalid_siwe_params'],
        [{ user_id: 'nobody' }, 'user_not_found'],
      ];
      for (const [fields, error_type] of wrong) {
        const refused = wallets().authenticateStart({ ...named(wallet), ...fields });
        expect(await refusalOf(refused)).toMatchObject({ error_type });
      }
    });
  });

  it('an impersonation token makes a session that names the impersonator, once', async () => {
    const { user_id } = await signIn('victor@example.com');
    const by = { user: 'victor@example.com', by: 'ann@ops.example' };
    const { token } = await administer(backend.provider.services, 'impersonate', by);
    const login = await backend.client.impersonation.authenticate({ impersonation_token: token });
    expect(login).toMatchObject({
      user_id,
      user: { user_id, external_id: null },
      session_token: expect.stringMatching(/.{40}/u),
      session: { authentication_factors: [{ type: 'impersonated' }] },
    });
    const attached = backend.client.oauth.attach({ provider: 'google', session_token: login.session_token });
    expect(await refusalOf(attached)).toMatchObject({ status_code: 403, error_type: 'unauthorized_action' });
    const again = backend.client.impersonation.authenticate({ impersonation_token: token });
    expect(await refusalOf(again)).toMatchObject({
      status_code: 401,
      error_type: 'unable_to_auth_impersonation_token',
    });
  });

  it('the policy is the one of the project file, by which the SDK judges alone', async () => {
    const { policy } = await backend.client.rbac.policy();
    expect(policy).toEqual(backend.provider.services.project.rbac_policy);
    expect(policy?.roles).toMatchObject([{ role_id: 'editor', description: '' }]);
    const edith = await signIn('edith@example.com');
    const authorization_check = { resource_id: 'documents', action: 'write' };
    const session_jwt = String(edith['session_jwt']);
    await backend.client.sessions.authenticateJwtLocal({ session_jwt, authorization_check });
    const denied = { session_jwt, authorization_check: { ...authorization_check, action: 'delete' } };
    await expect(backend.client.sessions.authenticateJwtLocal(denied)).rejects.toThrow();
  });
});
