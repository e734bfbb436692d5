import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { tokensFor, authorize } from '../../contract/flows/authorize.flow.ts';
import { providerWorlds } from '../../contract/flows/on-provider.ts';
import { DASHBOARD, PLANNER, PROFILE } from '../../contract/flows/project.ts';
import { openTab, signedIn, type FlowWorld } from '../../contract/flows/world.ts';
import { withWallet } from '../../contract/flows/wallet.flow.ts';
import { soakIt } from '../../soak-tests.ts';
import { play, removeSamples, samples, WORDS, type Replacements } from './played-samples.ts';

const worlds = providerWorlds(undefined);
let world: FlowWorld;

beforeAll(async () => {
  world = await worlds.makeWorld({});
});
afterAll(async () => {
  await world?.dispose?.();
  removeSamples();
  await worlds.close();
});

const PASSCODE: Replacements = [
  ["'ada@example.com'", 'given.email'],
  ["'123456'", 'await given.code()'],
];

const quiet = () => vi.spyOn(console, 'log').mockReturnValue(undefined);

describe('the samples of the client without the widget, on the provider', () => {
  it('the session: read, heard, extended and ended', async () => {
    quiet();
    const { client } = await signedIn(world);
    await play('client.session.getSync()', client);
    expect(client.session.getSync()).toBeNull();
  });

  soakIt('sessions that begin elsewhere', async () => {
    const email = world.address('ada');
    const { client: ada } = await signedIn(world, email);
    const { access_token } = await tokensFor(world, ada, DASHBOARD, ['openid', 'full_access']);
    const given = {
      session: ada.session.getTokens()?.session_token,
      access_token,
      profile: PROFILE,
      trusted: await world.trustedToken(PROFILE, email),
      impersonation: await world.impersonationToken(email),
    };
    const { client } = openTab(world);
    await play('client.session.updateSession', client, given, [
      ["'from your server'", 'given.session'],
      ["'of an app'", 'given.access_token'],
      ["'profile-…'", 'given.profile'],
      ["'of a trusted issuer'", 'given.trusted'],
      ["'made by an administrator'", 'given.impersonation'],
    ]);
    expect(client.session.getSync()?.authentication_factors.map(({ type }) => type)).toEqual(['impersonated']);
  });

  it('passcodes', async () => {
    const { client } = openTab(world);
    const email = world.address('ada');
    await play('otps.sms.loginOrCreate', client, { email, code: () => world.codeFor(email) }, PASSCODE);
    expect(client.user.getSync()?.emails[0]?.email).toBe(email);
  });

  it.each([
    [false, [], '/account'],
    [true, [['/login']], '/login'],
  ])('links and passcodes, where the project asks for fields and terms: %s', async (profile, left, next) => {
    const made = await worlds.makeWorld({ profile });
    const { client } = openTab(made);
    const email = made.address('ada');
    const search = async () => `?stytch_token_type=magic_links&token=${await made.tokenFor(email)}`;
    const assign = vi.fn<(url: string) => void>();
    await play('magicLinks.email.loginOrCreate', client, { email, query: search, assign }, [
      ["'ada@example.com'", 'given.email'],
      ['location.search', 'await given.query()'],
    ]);
    expect([client.session.getSync() === null, assign.mock.calls]).toEqual([profile, left]);
    await play('login.mfa', openTab(made).client, { email, code: () => made.codeFor(email), assign }, PASSCODE);
    expect(assign).toHaveBeenLastCalledWith(next);
    await made.dispose?.();
  });

  soakIt('social logins', async () => {
    quiet();
    const { client, tab } = openTab(world);
    const token = async () =>
      (await world.comeBack(tab.browser.navigations.at(-1) ?? '', world.address('ada'))).searchParams.get('token');
    await play('github.start({ login_redirect_url', client, { token }, [
      ["'the token of the query'", 'await given.token()'],
    ]);
    expect(client.session.getSync()?.authentication_factors[0]?.type).toBe('oauth');
  });

  it('a social login that a form starts', async () => {
    const { client, tab } = openTab(world);
    const stored = new Map<string, string>();
    const sessionStorage = {
      setItem: (name: string, value: string) => void stored.set(name, value),
      getItem: (name: string) => stored.get(name) ?? null,
    };
    vi.stubGlobal('sessionStorage', sessionStorage);
    onTestFinished(() => void vi.unstubAllGlobals());
    const replace = vi.fn<(url: string) => void>();
    await play('oauth.google.start', client, { href: 'http://localhost:3000/posts/1?draft', replace });
    expect(replace).toHaveBeenCalledWith('http://localhost:3000/posts/1?draft');
    const posted = tab.formPost.posted[0] ?? '';
    expect(posted).toMatchObject({ fields: { login_redirect_url: 'http://localhost:3000/authenticate' } });
    expect((await world.comeBack(posted, world.address('ada'))).searchParams.get('stytch_token_type')).toBe('oauth');
  });

  soakIt('a social account that is added to whoever is signed in', async () => {
    const { client, tab } = await signedIn(world);
    await play('oauth.attach', client);
    const back = await world.comeBack(tab.formPost.posted[0] ?? '', world.address('work'));
    await client.oauth.authenticate(back.searchParams.get('token') ?? '', { session_duration_minutes: 60 });
    expect(client.user.getSync()?.providers.map(({ provider_type }) => provider_type)).toEqual(['github']);
  });

  soakIt('passwords', async () => {
    quiet();
    const { client } = openTab(world);
    const email = world.address('ada');
    await play('passwords.strengthCheck', client, { email, token: () => world.tokenFor(email, 'reset_password') }, [
      ["'ada@example.com'", 'given.email'],
      ["'of the link'", 'await given.token()'],
      ["'the old one'", 'password'],
    ]);
    expect(client.session.getSync()).not.toBeNull();
  });

  soakIt('passkeys', async () => {
    quiet();
    const { client } = await signedIn(world);
    await play('webauthn.register', client, {}, [
      ["'webauthn-registration-…'", 'client.user.getSync().webauthn_registrations[0].webauthn_registration_id'],
    ]);
    expect(client.user.getSync()?.webauthn_registrations[0]?.name).toBe('My phone');
    await play('extensions: { prf', client);
  });

  soakIt('wallets of the browser', async () => {
    const { client } = withWallet(world, world.signer('ethereum'));
    await play('cryptoWallets.logIn', client);
    expect(client.user.getSync()?.crypto_wallets).toHaveLength(1);
  });

  it('wallets', async () => {
    const { client } = openTab(world);
    const { sign, crypto_wallet_address } = world.signer('ethereum');
    await play('cryptoWallets.authenticateStart', client, { sign, crypto_wallet_address }, [
      ["'0x…'", 'given.crypto_wallet_address'],
      ['`what the wallet makes of ${challenge}`', 'given.sign(challenge)'],
    ]);
    expect(client.user.getSync()?.crypto_wallets).toHaveLength(1);
  });

  soakIt('authenticator apps', async () => {
    quiet();
    const { client } = await signedIn(world);
    await play('totps.create', client, { totp: (secret: string) => world.totpCodeFor(secret) }, [
      ['{ qr_code, recovery_codes }', '{ secret, qr_code, recovery_codes }'],
      ["'123456'", 'given.totp(secret)'],
      ["'one of them'", 'recovery_codes[0]'],
    ]);
    expect(client.user.getSync()?.totps[0]?.verified).toBe(true);
  });

  it('the user', async () => {
    quiet();
    const { client } = await signedIn(world);
    await play('client.user.update', client);
    expect(client.user.getSync()?.name.first_name).toBe('Ada');
  });

  it('another address: added, proved, and the old one removed', async () => {
    const log = quiet();
    const old = world.address('ada');
    const { client } = await signedIn(world, old);
    const email = world.address('ada');
    const given = { email, code: () => world.codeFor(email) };
    await play('otps.email.send(', client, given, [
      ["'ada@new.example'", 'given.email'],
      ["'123456'", 'await given.code()'],
    ]);
    expect(log.mock.calls).toEqual([[[email]]]);
    expect((await client.user.get())?.emails).toMatchObject([{ email, verified: true }]);
  });

  soakIt('the data of the user, and the end of the account', async () => {
    const log = quiet();
    const { client } = await signedIn(world);
    const { user_id = '' } = client.user.getSync() ?? {};
    await play('client.user.deleteAccount', client);
    expect(JSON.stringify(log.mock.calls)).toContain(user_id);
    expect(client.user.getSync()).toBe(null);
  });

  it('the sessions in all browsers: listed, and ended but for this one', async () => {
    const { client } = await signedIn(world);
    await play('client.session.list()', client);
    expect((await client.session.list()).sessions).toHaveLength(1);
  });

  it('role-based access', async () => {
    const log = quiet();
    const { client } = await signedIn(world, world.addressWith('admin'));
    await play('rbac.allPermissions', client);
    expect(log).toHaveBeenCalledWith(true);
  });

  soakIt('an identity provider for other apps', async () => {
    const { client, tab } = await signedIn(world);
    const { scopes, ...asked } = authorize(PLANNER, ['openid', 'email']);
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const query = new URLSearchParams({
      ...asked,
      scope: scopes.join(' '),
      code_challenge,
      code_challenge_method: 'S256',
    });
    const assign = vi.fn<(url: string) => void>();
    await play('parseOAuthAuthorizeParams(', client, { search: `?${query}`, assign });
    expect(new URL(assign.mock.calls[0]?.[0] ?? '').searchParams.get('code')).toBeTruthy();
    await play('client.idp.authorize(', client, { search: `?${query}` });
    expect(new URL(tab.browser.navigations.at(-1) ?? '').searchParams.get('code')).toBeTruthy();
  });

  it('errors', async () => {
    const log = quiet();
    await play('isAuthError(error)', openTab(world).client);
    expect(log.mock.calls[0]?.[1]).toBe('otp_code_not_found');
  });

  soakIt('a second factor that is missing', async () => {
    const email = world.address('ada');
    const { client: first } = await signedIn(world, email);
    const { secret } = await first.totps.create({ expiration_minutes: 30 });
    await first.totps.authenticate({ totp_code: world.totpCodeFor(secret), session_duration_minutes: 60 });
    world.passTime(31_000);
    const { client } = await signedIn(world, email);
    await play('needsSecondFactor(error)', client, { code: world.totpCodeFor(secret) }, [["'123456'", 'given.code']]);
    expect(client.session.getSync()?.authentication_factors.map(({ type }) => type)).toContain('totp');
  });

  it('are all told apart, and are all run here', () => {
    const found = samples.map(({ source }) => WORDS.filter((words) => source.includes(words)));
    expect(found.filter((words) => words.length !== 1)).toEqual([]);
    expect(new Set(found.flat())).toEqual(new Set(WORDS));
  });
});
