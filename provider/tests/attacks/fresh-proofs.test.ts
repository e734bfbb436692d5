import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import {
  addressByLink,
  codeOf,
  enrolTotp,
  makeTarget,
  MINUTES,
  passkey,
  phone,
  plantAll,
  secondAddress,
  uniqueEmail,
  uniqueNumber,
  wallet,
} from './attacker.ts';
import { importUser, importUsers } from '#provider/operation/operators/users/import-users.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * Whoever has a stolen session can add a login method and prove that: it is no proof of the user, so that the account cannot be deleted
 * by it. The user proves what they had before.
 */

const ISSUER = 'https://issuer.example';
const issuer = await generateKeyPair('RS256', { extractable: true });
const PASSWORD = 'tumbling-lanterns-over-quiet-water-41';

describe.each(EITHER_DATABASE)('the fresh proof of a deletion, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const profile = { profile_id: 'staff', issuer: ISSUER, audience: 'here', email_domains: ['example.com'] };
    const public_key = await exportSPKI(issuer.publicKey);
    const profiles = { trusted_auth_token_profiles: [{ ...profile, public_key }] };
    provider = await makeTarget(url, {}, { ...profiles, mfa: { policy: 'when_enrolled' } });
  });
  afterAll(() => provider.close());

  const leave = async (session: string) => {
    const { status, body } = await provider.call('DELETE', '/users/me/account', undefined, { session });
    return status === 200 ? 'deleted' : String(body['error_type']);
  };
  const old = async (email = uniqueEmail('stolen')) => {
    const { session_token } = await provider.signIn(email);
    provider.clock.time += 10 * MINUTE + 1;
    return { email, session: String(session_token) };
  };
  const enterCode = async (email: string, session: string): Promise<string> => {
    const sent = await provider.post('/otps/email/send/secondary', { email }, { session });
    const { code } = (await provider.newest(email)) ?? {};
    const body = { token: code, method_id: sent.data['method_id'], ...MINUTES };
    return String((await provider.post('/otps/authenticate', body, { session })).data['session_token']);
  };

  it.each(oneOf(3, Object.entries({ wallet, passkey, phone, secondAddress, addressByLink })))(
    'is not made by what was added: %s',
    async (_name, way) => {
      const { email, session } = await old();
      const added = await plantAll(session, [way(provider)]);
      expect(await leave(added)).toBe('login_required');
      expect(await leave(await enterCode(email, added))).toBe('deleted');
    },
  );

  it('is not made by an authenticator app that was added, or its recovery codes', async () => {
    const { email, session } = await old();
    const added = await enrolTotp(provider, session);
    expect(await leave(added.session)).toBe('login_required');
    const body = { recovery_code: added.recovery_codes[0], ...MINUTES };
    const used = await provider.post('/totps/recover', body, { session: added.session });
    expect(used.status).toBe(200);
    const thief = String(used.data['session_token']);
    expect(await leave(thief)).toBe('login_required');
    expect(await leave(await enterCode(email, thief))).toBe('deleted');
  });

  soakIt(
    'is not made by a password that was set in the session, but by one that was changed by the one before',
    async () => {
      const { email, session } = await old();
      const set = async (path: string, fields: object, token: string) =>
        String(
          (await provider.post(`/passwords/${path}`, { ...fields, ...MINUTES }, { session: token })).data[
            'session_token'
          ],
        );
      const given = await set('session/reset', { password: PASSWORD }, session);
      expect(await leave(given)).toBe('login_required');
      const change = { email, existing_password: PASSWORD, new_password: `${PASSWORD}!` };
      const changed = await set('existing_password/reset', change, given);
      expect(await leave(changed)).toBe('login_required');

      const login = await provider.post('/passwords/authenticate', { email, password: `${PASSWORD}!`, ...MINUTES });
      provider.clock.time += 10 * MINUTE + 1;
      const owner = String(login.data['session_token']);
      expect(await leave(owner)).toBe('login_required');
      const again = { email, existing_password: `${PASSWORD}!`, new_password: `${PASSWORD}?` };
      expect(await leave(await set('existing_password/reset', again, owner))).toBe('deleted');
    },
  );

  soakIt('is made by the password of the sign-up in its session', async () => {
    const email = uniqueEmail('new');
    const { data } = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    provider.clock.time += 10 * MINUTE + 1;
    const session = String(data['session_token']);
    expect(await leave(session)).toBe('login_required');
    const login = await provider.post(
      '/passwords/authenticate',
      { email, password: PASSWORD, ...MINUTES },
      { session },
    );
    expect(await leave(String(login.data['session_token']))).toBe('deleted');
  });

  describe('in a session that begins with what was added to an account of some days', () => {
    const aged = async () => {
      const email = uniqueEmail('stolen');
      await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
      await provider.signIn(email);
      provider.clock.time += 25 * 60 * MINUTE;
      const { session_token } = await provider.signIn(email);
      provider.clock.time += 10 * MINUTE + 1;
      return { email, session: String(session_token) };
    };
    const resetBy = async (email: string): Promise<string> => {
      await provider.post('/passwords/email/reset/start', { email });
      const token = new URL((await provider.newest(email))?.link ?? '').searchParams.get('token');
      const reset = await provider.post('/passwords/email/reset', { token, password: `${PASSWORD}?`, ...MINUTES });
      return String(reset.data['session_token']);
    };

    it('is not made by an address or a password that was reset by it, for a day', async () => {
      const { email, session } = await aged();
      const thief = uniqueEmail('thief');
      const added = await enterCode(thief, session);
      expect(await leave(added)).toBe('login_required');
      expect(await leave(String((await provider.signIn(thief))['session_token']))).toBe('login_required');
      expect(await leave(await resetBy(thief))).toBe('login_required');
      provider.clock.time += 24 * 60 * MINUTE;
      expect(await leave(String((await provider.signIn(email))['session_token']))).toBe('deleted');
    });

    it('is made by a password that was reset by the address of before', async () => {
      const { email } = await aged();
      expect(await leave(await resetBy(email))).toBe('deleted');
    });

    it('is not made by the token of an issuer who trusts that address, but by one of the address of before', async () => {
      const owner = await aged();
      const { email, session } = await aged();
      const thief = uniqueEmail('thief');
      const attest = async (named: string, extras = {}) => {
        const now = Math.floor(provider.clock.time / 1000);
        const claims = { iss: ISSUER, aud: 'here', iat: now, exp: now + 300, email: named };
        const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(issuer.privateKey);
        const reply = await provider.post('/sessions/attest', { profile_id: 'staff', token, ...MINUTES }, extras);
        return String(reply.data['session_token']);
      };
      expect(await leave(await attest(owner.email))).toBe('deleted');
      const added = await enterCode(thief, session);
      expect(await leave(await attest(thief, { session: added }))).toBe('login_required');
      expect(await leave(await attest(thief))).toBe('login_required');
      expect(await leave(String((await provider.signIn(email))['session_token']))).toBe('deleted');
    });

    it('is not made by a wallet', async () => {
      const { email, session } = await aged();
      const own = new SoftwareWallet();
      const names = { crypto_wallet_type: own.type, crypto_wallet_address: own.address };
      const sign = async (step: string, extras = {}) => {
        const { data } = await provider.post(`/crypto_wallets/authenticate/start/${step}`, names, extras);
        const signature = own.sign(String(data['challenge']));
        const reply = await provider.post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES }, extras);
        return String(reply.data['session_token']);
      };
      const added = await sign('secondary', { session });
      expect([await leave(added), await leave(await sign('primary'))]).toEqual(['login_required', 'login_required']);
      expect(await leave(await enterCode(email, added))).toBe('deleted');
    });
  });

  it('is made by what an import brought with an older account', async () => {
    const by = { name: 'Grace', address: null, request_id: null };
    const hash = '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.';
    for (const many of [false, true]) {
      const email = uniqueEmail('imported');
      const password = { hash_type: 'bcrypt', hash };
      const line = { emails: [{ email, verified: true }], password, created_at: '2020-01-31T12:00:00Z' };
      await (many ? importUsers(provider.services, [line], by) : importUser(provider.services, line, by));
      expect(await leave(String((await provider.signIn(email))['session_token']))).toBe('deleted');
    }
  });

  it('is made by a code to the phone that was the one way in, beside an address of this day', async () => {
    const texting = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled', factors: ['sms'] } });
    const [number, email] = [uniqueNumber(), uniqueEmail('second')];
    const enter = async (to: string, path: string, body: Fields, by: Fields = {}, session?: string) => {
      const extras = session === undefined ? {} : { session };
      const sent = await texting.post(path, body, extras);
      const code = { token: (await texting.newest(to))?.code, method_id: sent.data['method_id'], ...MINUTES, ...by };
      return (await texting.post('/otps/authenticate', code, extras)).data;
    };
    const byPhone = async (by?: Fields) => enter(number, '/otps/sms/login_or_create', { phone_number: number }, by);
    await byPhone();
    texting.clock.time += 25 * 60 * MINUTE;
    const { session_token: stolen } = await byPhone();
    texting.clock.time += 10 * MINUTE + 1;
    const added = await enter(email, '/otps/email/send/secondary', { email }, {}, String(stolen));
    const leaveBy = async ({ session_token }: Fields) => {
      const session = String(session_token);
      return (await texting.call('DELETE', '/users/me/account', undefined, { session })).body['error_type'] as unknown;
    };
    expect(await leaveBy(added)).toBe('login_required');
    const browser = new LoginBrowser({ post: async (path, body) => texting.post(path, body) });
    const { intermediate_session_token } = await byPhone(browser.fields);
    const step = { intermediate_session_token, mfa_code_verifier: browser.verifier };
    const owner = await enter(email, '/otps/email/login_or_create', { email }, { ...browser.fields, ...step });
    expect(await leaveBy(owner)).toBeUndefined();
    await texting.close();
  });

  it('is of the second factor of a user who has one, however fresh the first one is', async () => {
    const { email, secret } = await makeGuarded(provider, uniqueEmail('stolen'));
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    const prove = async (session?: string) => {
      const body = { totp_code: codeOf(provider, secret), ...MINUTES };
      const reply =
        session === undefined
          ? await browser.post('/totps/authenticate', body)
          : await provider.post('/totps/authenticate', body, { session });
      return String(reply.data['session_token']);
    };
    const session = await prove();
    provider.clock.time += 10 * MINUTE + 1;
    const first = await enterCode(email, session);
    expect(await leave(first)).toBe('mfa_required');
    const added = await plantAll(first, [passkey(provider)]);
    expect(await leave(added)).toBe('mfa_required');
    expect(await leave(await prove(added))).toBe('deleted');
    expect(provider.traces).toEqual([]);
  });
});
