import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'a rather long and winding road 47';

describe.each(EITHER_DATABASE)('the factors of a user in the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database, { project: projectFrom(SETTINGS) });
  });
  afterAll(() => backend.close());
  let count = 0;
  const address = () => `user-${(count += 1)}@example.com`;
  const number = () => `+141555526${70 + (count += 1)}`;
  const users = () => backend.client.users;
  const create = async (fields: Fields = {}) => users().create({ email: address(), ...fields });
  const now = () => new Date(backend.provider.clock.time);

  /** One of each kind that a device or another site would have to make. */
  async function withEveryFactor() {
    const { db } = backend.provider.services;
    const { user_id, email_id, phone_id } = await create({ phone_number: number() });
    const id = (kind: string) => `${kind}-${user_id}`;
    const made = { user_id, created_at: now() };
    await db
      .insertInto('webauthn_registrations')
      .values({
        ...made,
        webauthn_registration_id: id('webauthn'),
        domain: 'example.com',
        credential_id: id('credential'),
        public_key: '',
        user_handle: '',
        sign_count: 0,
        backup_eligible: false,
        transports: '[]',
        user_agent: '',
        authenticator_type: 'platform',
        name: 'Key',
      })
      .execute();
    const wallet = { crypto_wallet_id: id('wallet'), crypto_wallet_address: id('0x') };
    await db
      .insertInto('crypto_wallets')
      .values({ ...made, ...wallet, crypto_wallet_type: 'ethereum' })
      .execute();
    const oauth = { oauth_user_registration_id: id('oauth'), provider_type: 'google', provider_subject: id('subject') };
    await db
      .insertInto('oauth_registrations')
      .values({ ...made, ...oauth, profile_picture_url: '', locale: '' })
      .execute();
    const totp = { totp_id: id('totp'), secret: '', verified: true, last_step: null, expires_at: now() };
    await db
      .insertInto('totps')
      .values({ ...made, ...totp })
      .execute();
    return { user_id, email_id, phone_id, id };
  }

  it('are deleted one by one, by their own ids', async () => {
    const { user_id, email_id, phone_id, id } = await withEveryFactor();
    const other = await withEveryFactor();
    const calls = {
      totps: () => users().deleteTOTP({ totp_id: id('totp') }),
      crypto_wallets: () => users().deleteCryptoWallet({ crypto_wallet_id: id('wallet') }),
      providers: () => users().deleteOAuthRegistration({ oauth_user_registration_id: id('oauth') }),
      webauthn_registrations: () => users().deleteWebAuthnRegistration({ webauthn_registration_id: id('webauthn') }),
      phone_numbers: () => users().deletePhoneNumber({ phone_id }),
    } as const;
    for (const [list, call] of Object.entries(calls)) {
      const { user, ...reply } = await call();
      expect([list, reply.user_id, reply.status_code]).toEqual([list, user_id, 200]);
      expect(user[list as keyof typeof calls]).toEqual([]);
      expect(await refusalOf(call())).toMatchObject({ status_code: 404 });
    }
    // Nobody could enter the account then.
    expect(await refusalOf(users().deleteEmail({ email_id }))).toMatchObject({
      status_code: 400,
      error_type: 'cannot_delete_last_factor',
    });
    const kept = await users().get({ user_id: other.user_id });
    expect(Object.keys(calls).map((list) => kept[list as keyof typeof calls].length)).toEqual([1, 1, 1, 1, 1]);
    expect(await users().deleteEmail({ email_id: other.email_id })).toMatchObject({ user: { emails: [] } });
    expect(await refusalOf(users().deleteEmail({ email_id: other.email_id }))).toMatchObject({
      error_type: 'email_not_found',
    });
    expect(await refusalOf(users().deleteBiometricRegistration({ biometric_registration_id: 'x' }))).toMatchObject({
      status_code: 404,
      error_type: 'biometric_registration_not_found',
    });
  });

  soakIt('end with a password every session that the user has', async () => {
    const { provider } = backend;
    const email = address();
    const login = await provider.signIn(email);
    const session = login['session_token'] as string;
    const given = { email, password: PASSWORD, session_duration_minutes: 60 };
    const { db } = provider.services;
    await db
      .insertInto('passwords')
      .values({
        password_id: `password-of-${email}`,
        user_id: login['user_id'] as string,
        hash: '$argon2id$',
        requires_reset: false,
        created_at: now(),
      })
      .execute();
    const { password } = await users().get({ user_id: login['user_id'] as string });
    const password_id = password?.password_id ?? '';
    expect(await users().deletePassword({ password_id })).toMatchObject({ user: { password: null } });
    expect((await provider.call('GET', '/users/me', undefined, { session })).status).toBe(401);
    expect(await refusalOf(users().deletePassword({ password_id }))).toMatchObject({
      status_code: 404,
      error_type: 'password_not_found',
    });
    expect((await provider.post('/passwords/authenticate', given)).status).not.toBe(200);
  });

  soakIt('are exchanged when there is one: who held it before is locked out', async () => {
    const { provider } = backend;
    const email = address();
    const login = await provider.signIn(email);
    const user_id = login['user_id'] as string;
    const session = login['session_token'] as string;
    await users().update({ user_id, name: { first_name: 'Dora' } });
    const { code, method_id } = await provider.sendCode(email);
    const to = address();
    const exchanged = await users().exchangePrimaryFactor({ user_id, email_address: to });
    expect(exchanged).toMatchObject({ user_id, user: { emails: [{ email: to, verified: false }] } });
    expect((await provider.call('GET', '/users/me', undefined, { session })).status).toBe(401);
    const late = { token: code, method_id, session_duration_minutes: 60 };
    expect((await provider.post('/otps/authenticate', late)).status).toBe(404);
    expect((await provider.signIn(to))['user']).toMatchObject({ user_id, name: { first_name: 'Dora' } });

    const phone_number = number();
    expect(await users().exchangePrimaryFactor({ user_id, phone_number })).toMatchObject({
      user: { emails: [], phone_numbers: [{ phone_number, verified: false }] },
    });
    // The same again changes nothing.
    const again = await users().exchangePrimaryFactor({ user_id, phone_number });
    expect(again.user).toEqual((await users().exchangePrimaryFactor({ user_id, phone_number })).user);
  });

  it('are not exchanged for those of another user, or if the factor is ambiguous', async () => {
    const taken = await create();
    const [{ email: of } = { email: '' }] = taken.user.emails;
    const { user_id } = await create();
    const exchange = async (fields: Fields, id = user_id) =>
      refusalOf(users().exchangePrimaryFactor({ user_id: id, ...fields }));
    expect(await exchange({ email_address: of })).toMatchObject({ error_type: 'duplicate_email' });
    expect(await exchange({ email_address: 'none' })).toMatchObject({ error_type: 'invalid_email' });
    expect(await exchange({ phone_number: '12' })).toMatchObject({ error_type: 'invalid_phone_number' });
    expect(await exchange({})).toMatchObject({ error_type: 'bad_request' });
    expect(await exchange({ email_address: address(), phone_number: number() })).toMatchObject({
      error_type: 'bad_request',
    });
    expect(await exchange({ email_address: address() }, 'nobody')).toMatchObject({ error_type: 'user_not_found' });
    const two = await create({ phone_number: number() });
    expect(await exchange({ email_address: address() }, two.user_id)).toMatchObject({
      status_code: 400,
      error_type: 'not_exactly_one_factor',
    });
    expect((await users().get({ user_id })).emails).toHaveLength(1);
  });

  it('and the apps that they connected, are listed and revoked', async () => {
    const { user_id } = await create();
    expect(await users().connectedApps({ user_id })).toMatchObject({ connected_apps: [], status_code: 200 });
    const grant = { grant_id: `grant-${user_id}`, user_id, client_id: 'planner', scopes: '["openid"]' };
    await backend.provider.services.db
      .insertInto('oauth_grants')
      .values({ ...grant, created_at: now(), updated_at: now() })
      .execute();
    expect(await users().connectedApps({ user_id })).toMatchObject({
      connected_apps: [{ connected_app_id: 'planner', name: 'Planner', scopes_granted: 'openid' }],
    });
    const revoke = () => users().revoke({ user_id, connected_app_id: 'planner' });
    expect(await revoke()).toMatchObject({ status_code: 200 });
    expect(await refusalOf(revoke())).toMatchObject({ status_code: 404, error_type: 'connected_app_not_found' });
    expect(await refusalOf(users().connectedApps({ user_id: 'nobody' }))).toMatchObject({
      error_type: 'user_not_found',
    });
  });
});
