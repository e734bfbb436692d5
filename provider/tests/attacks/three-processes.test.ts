import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { oauthStartUrl } from '#domain/social/oauth-start-url.ts';
import { PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { challenge, ISSUER, verifier } from '../kit/idp-harness.ts';
import { HTML } from '../kit/oauth-harness.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { minutes, postgres, threeServers } from './three-servers.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** How often a session is refreshed at once by its token, and as often by its JWT. */
const EACH = SOAK ? 6 : 3;
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };

/** Row 20 and the last paragraph of issue 9: no step of any flow finds the server that the step before it was on. */
describe.runIf(postgres !== undefined)('three servers on one database, whose clocks differ by two seconds each', () => {
  const three = threeServers();
  const { admin, me, signIn, refused, until, lacking } = three;

  it('servers that start together make one set of keys', async () => {
    await me(await signIn('first@example.com'));
    const keys = await three.cluster.database.query('select generation from signing_keys where purpose = $1', [
      'sessions',
    ]);
    expect(keys.rows).toEqual([{ generation: 1 }]);
    expect((await three.cluster.database.query('select name from sealed_keys')).rows).toHaveLength(1);
  });

  soakIt('a user logs in by a code, mailed or texted', async () => {
    const user = await signIn('code@example.com');
    expect((await me(await signIn('code@example.com')))['user_id']).toBe(user['user_id']);
    const phone_number = '+14155550123';
    const { method_id } = await three.cluster.post('/otps/sms/login_or_create', { phone_number });
    const { code: token } = await three.cluster.message(phone_number);
    const redeem = { token, method_id, ...minutes };
    await me(await three.cluster.post('/otps/authenticate', redeem));
    expect(await refused('/otps/authenticate', redeem)).toBe('otp_code_not_found');
  });

  soakIt('a user logs in by a link, once and in the browser that asked for it', async () => {
    const email = 'link@example.com';
    await three.cluster.post('/magic_links/email/login_or_create', { email, code_challenge: challenge });
    const { token } = await three.cluster.message(email);
    const open = (code_verifier: string) => ({ token, code_verifier, ...minutes });
    expect(await refused('/magic_links/authenticate', open('w'.repeat(64)))).toBe('pkce_mismatch');
    await me(await three.cluster.post('/magic_links/authenticate', open(verifier)));
    expect(await refused('/magic_links/authenticate', open(verifier))).toBe('unable_to_auth_magic_link');
  });

  soakIt('a user logs in by a password, and resets it by email', async () => {
    const email = 'password@example.com';
    const [before, after] = ['violet tractor moon 88', 'quiet lantern orbit 41'];
    await me(await three.cluster.post('/passwords', { email, password: before, ...minutes }));
    const old = await me(await three.cluster.post('/passwords/authenticate', { email, password: before, ...minutes }));
    await three.cluster.post('/passwords/email/reset/start', { email, code_challenge: challenge });
    const { token } = await three.cluster.message(email);
    const reset = { token, password: after, code_verifier: verifier, ...minutes };
    await me(await three.cluster.post('/passwords/email/reset', reset));
    expect(await three.cluster.everywhere(String(old['session_token']))).toEqual([401, 401, 401]);
    await me(await three.cluster.post('/passwords/authenticate', { email, password: after, ...minutes }));
    const wrong = await three.cluster.call('POST', '/passwords/authenticate', { email, password: before, ...minutes });
    expect(wrong.status).toBe(401);
  });

  soakIt('a user logs in by a passkey', async () => {
    const { session_token, user_id } = await signIn('passkey@example.com');
    const key = new SoftwareAuthenticator();
    const asked = await three.cluster.post('/webauthn/register/start', PASSKEY, session_token);
    const created = key.create(JSON.parse(String(asked['public_key_credential_creation_options'])) as Fields);
    await three.cluster.post('/webauthn/register', { public_key_credential: created }, session_token);
    const start = await three.cluster.post('/webauthn/authenticate/start/primary', PASSKEY);
    const got = key.get(JSON.parse(String(start['public_key_credential_request_options'])) as Fields);
    const login = { public_key_credential: got, ...minutes };
    expect((await me(await three.cluster.post('/webauthn/authenticate', login)))['user_id']).toBe(user_id);
    expect(await refused('/webauthn/authenticate', login)).toBe('webauthn_challenge_not_found');
  });

  soakIt('a user logs in by a wallet', async () => {
    const wallet = new SoftwareWallet();
    const names = { crypto_wallet_type: 'ethereum', crypto_wallet_address: wallet.address };
    const siwe_params = { uri: 'http://localhost:3000' };
    const asked = await three.cluster.post('/crypto_wallets/authenticate/start/primary', { ...names, siwe_params });
    const signature = wallet.sign(String(asked['challenge']));
    await me(await three.cluster.post('/crypto_wallets/authenticate', { ...names, signature, ...minutes }));
    const again = await refused('/crypto_wallets/authenticate', { ...names, signature, ...minutes });
    expect(again).toBe('crypto_wallet_challenge_not_found');
  });

  soakIt('the servers accept a code of an authenticator app, and a recovery code', async () => {
    const { session_token } = await signIn('totp@example.com');
    const made = await three.cluster.post('/totps', { expiration_minutes: 60 }, session_token);
    const totp_code = new TOTP({ secret: Secret.fromBase32(String(made['secret'])) }).generate();
    const code = { totp_code, ...minutes };
    const verified = await me(await three.cluster.post('/totps/authenticate', code, session_token));
    expect(await refused('/totps/authenticate', code, verified['session_token'])).toBe('otp_code_not_found');
    const [recovery_code] = made['recovery_codes'] as string[];
    await me(await three.cluster.post('/totps/recover', { recovery_code, ...minutes }, verified['session_token']));
  });

  soakIt('a user logs in at a social provider', async () => {
    const page = HTML;
    const began = new URL(oauthStartUrl(ISSUER, PUBLIC_TOKEN, 'google', { code_challenge: challenge }));
    const started = await three.cluster.ask(began.pathname + began.search, { headers: page });
    const [cookie = ''] = String(started.headers['set-cookie']).split(';');
    const at = new URL(String(started.headers['location']));
    const { text } = await three.cluster.ask(at.pathname + at.search, { headers: page });
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/gu)];
    const fields = hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]);
    const chosen = { ...Object.fromEntries(fields), account: 'grace@example.com' } as Record<string, string>;
    const back = await three.cluster.form(at.pathname, chosen, { ...page, origin: ISSUER });
    const callback = new URL(String(back.headers['location']));
    const finished = await three.cluster.ask(callback.pathname + callback.search, { headers: { ...page, cookie } });
    const token = new URL(String(finished.headers['location'])).searchParams.get('token');
    const redeem = { token, code_verifier: verifier, ...minutes };
    const user = await me(await three.cluster.post('/oauth/authenticate', redeem));
    expect(user['provider_values'].id_token).toMatch(/^eyJ/u);
    expect(await refused('/oauth/authenticate', redeem)).toBe('oauth_token_not_found');
  });

  soakIt('an operator acts for a user', async () => {
    const { user_id } = await signIn('helped@example.com');
    const impersonation_token = await admin('impersonate', '--user', 'helped@example.com', '--by', 'ops@example.com');
    const acting = await me(await three.cluster.post('/impersonation/authenticate', { impersonation_token }));
    expect(acting['user_id']).toBe(user_id);
    const again = await three.cluster.call('POST', '/impersonation/authenticate', { impersonation_token });
    expect(again.status).toBeGreaterThanOrEqual(400);
  });

  soakIt('a session is refreshed by token and by JWT at once, and ends on all servers at once', async () => {
    const user = await signIn('tabs@example.com');
    const secrets = [user['session_token'], user['session_jwt']] as string[];
    const refreshed = await Promise.all(
      Array.from({ length: 2 * EACH }, (_, turn) =>
        three.cluster.post('/sessions/authenticate', minutes, secrets[turn % 2]),
      ),
    );
    // The reply to a JWT has no secrets.
    const whole = refreshed.filter(({ session_token }) => session_token !== '');
    expect(whole).toHaveLength(EACH);
    for (const each of whole) await me(each);
    await three.cluster.post('/sessions/revoke', undefined, whole[1]?.['session_token']);
    const made = whole.flatMap((each) => [each['session_token'], each['session_jwt']]);
    for (const secret of [...secrets, ...made]) {
      expect(await three.cluster.everywhere(String(secret))).toEqual([401, 401, 401]);
    }
  });

  soakIt('each server verifies what the others sign while keys are replaced', async () => {
    const user = await signIn('rotating@example.com');
    const kidOf = (jwt: unknown): string => String(decodeProtectedHeader(String(jwt)).kid);
    const kids = new Set([kidOf(user['session_jwt'])]);
    const over = new AbortController();
    const refreshing = (async () => {
      for (let { session_token } = user; !over.signal.aborted || kids.size === 1;) {
        const each = await three.cluster.post('/sessions/authenticate', minutes, session_token);
        kids.add(kidOf(each['session_jwt']));
        await me(each);
        ({ session_token } = each);
      }
    })();
    const made = [
      await admin('rotate-keys', '--purpose', 'sessions'),
      await admin('rotate-keys', '--purpose', 'sessions'),
    ];
    const fresh = await Promise.all(three.cluster.servers.map((server) => until(server, made[1] ?? '', user)));
    over.abort();
    await refreshing;
    for (const server of three.cluster.servers) {
      const { text } = await three.cluster.ask('/.well-known/jwks.json', {}, server);
      const set = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
      for (const jwt of [user['session_jwt'], ...fresh]) await jwtVerify(String(jwt), set, { clockTolerance: 30 });
    }
    for (const jwt of [user['session_jwt'], ...fresh]) await me({ ...user, session_jwt: jwt });
  });

  soakIt('a login of two factors is completed on another server, once', async () => {
    const email = 'two-factors@example.com';
    const { session_token, user_id } = await signIn(email);
    const made = await three.cluster.post('/totps', { expiration_minutes: 60 }, session_token);
    const app = new TOTP({ secret: Secret.fromBase32(String(made['secret'])) });
    await three.cluster.post('/totps/authenticate', { totp_code: app.generate(), ...minutes }, session_token);
    const [, recovery_code] = made['recovery_codes'] as string[];
    const step = await lacking(email);
    const complete = () => three.cluster.call('POST', '/totps/recover', { recovery_code, ...minutes, ...step });
    const replies = await Promise.all(Array.from({ length: 10 }, complete));
    const [done, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect((await me(done?.data ?? {}))['user_id']).toBe(user_id);
  });

  soakIt('the servers count the tries of a second factor together', async () => {
    const email = 'guessed@example.com';
    const { session_token } = await signIn(email);
    const made = await three.cluster.post('/totps', { expiration_minutes: 60 }, session_token);
    const app = new TOTP({ secret: Secret.fromBase32(String(made['secret'])) });
    await three.cluster.post('/totps/authenticate', { totp_code: app.generate(), ...minutes }, session_token);
    const step = await lacking(email);
    const now = Date.now();
    const near = new Set([-2, -1, 0, 1, 2].map((steps) => app.generate({ timestamp: now + steps * 30_000 })));
    const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code));
    const guess = (fields: object) =>
      three.cluster.call('POST', '/totps/authenticate', { ...fields, ...minutes, ...step });
    const replies = await Promise.all(Array.from({ length: 15 }, () => guess({ totp_code: wrong })));
    const counted = replies.filter(({ body }) => body['error_type'] === 'otp_code_not_found');
    expect(counted.length).toBeLessThanOrEqual(5);
    const rest = replies.filter((reply) => !counted.includes(reply)).map(({ body }) => String(body['error_type']));
    for (const type of rest) expect(['too_many_mfa_attempts', 'intermediate_session_not_found']).toContain(type);
    const [recovery_code] = made['recovery_codes'] as string[];
    const right = await three.cluster.call('POST', '/totps/recover', { recovery_code, ...minutes, ...step });
    expect(['too_many_mfa_attempts', 'intermediate_session_not_found']).toContain(right.body['error_type']);
  });

  it('the servers count the tries of a code together', async () => {
    const email = `${randomBytes(4).toString('hex')}@example.com`;
    const { method_id } = await three.cluster.post('/otps/email/login_or_create', { email });
    const { code } = await three.cluster.message(email);
    const digest = createHash('sha256').update(code).digest().readUInt32BE() % 999_999;
    const wrong = String(digest === Number(code) ? digest + 1 : digest).padStart(6, '0');
    const guess = (token: string) => three.cluster.call('POST', '/otps/authenticate', { token, method_id, ...minutes });
    const guesses = await Promise.all(Array.from({ length: 5 }, () => guess(wrong)));
    for (const { status } of guesses) expect(status).toBeGreaterThanOrEqual(400);
    expect((await guess(code)).status).toBeGreaterThanOrEqual(400);
  });
});
