import { hash as bcrypt } from 'bcryptjs';
import { createHash, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPage } from '#provider/operation/operators/users/export-users.ts';
import { importUser, importUsers } from '#provider/operation/operators/users/import-users.ts';
import { appCode } from '#tests/clients/otplib.ts';
import { oneOf } from '#tests/soak.ts';
import { makeTarget, MINUTES } from '../attacks/attacker.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { browser as visitorOf } from '../kit/oauth-harness.ts';
import { BY, imported, oldPasskey, SECRET, SecurityKey } from '../kit/old-system.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SolanaWallet } from '../kit/solana-wallet.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const PLAIN = SECRET.replaceAll(' ', '').toUpperCase();

describe.each(EITHER_DATABASE)('a second factor of another system, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'], show_recovery_codes_again: true };
    provider = await makeTarget(url, { dailyTriesPerTotp: { max: 8, windowMs: 86_400_000 } }, { mfa });
  });
  afterAll(() => provider.close());

  /** Enters the first factor, and needs the second one. */
  const begin = async (email: string, ...digits: (number | undefined)[]): Promise<LoginBrowser> => {
    const browser = new LoginBrowser(provider);
    const { data } = await enterEmail(provider, browser, email);
    for (const each of digits) expect(data['mfa'].totp_digits).toBe(each);
    expect(data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'], enrol: [] } });
    return browser;
  };

  it.each(
    oneOf(2, [
      { algorithm: 'SHA256', digits: 8, period: 60 },
      {},
      { algorithm: 'SHA512', digits: 6, period: 30 },
      { algorithm: 'SHA1', digits: 8, period: 90 },
    ] as const),
  )('is an app with its own algorithm, length and period: %j', async (parameters) => {
    const { email } = await imported(provider, { totp: { secret: SECRET, ...parameters } });
    const code = await appCode(PLAIN, parameters, provider.clock.time);
    const browser = await begin(email, (parameters as { readonly digits?: number }).digits === 8 ? 8 : undefined);
    const enter = async (totp_code: string) => browser.post('/totps/authenticate', { totp_code, ...MINUTES });
    expect((await enter(code.slice(1))).body['error_type']).toBe('invalid_code');
    expect((await enter(code.replace(/.$/u, (last) => String(9 - Number(last))))).status).toBe(404);
    const { status, data } = await enter(code);
    expect([status, data['session']?.authentication_factors]).toMatchObject([200, [{ type: 'otp' }, { type: 'totp' }]]);
    // A code works once, and the one of the next period works then.
    const again = await begin(email);
    expect((await again.post('/totps/authenticate', { totp_code: code, ...MINUTES })).status).toBe(404);
    const { period = 30 } = parameters as { readonly period?: number };
    const next = await appCode(PLAIN, parameters, provider.clock.time + period * 1000);
    expect((await again.post('/totps/authenticate', { totp_code: next, ...MINUTES })).status).toBe(200);
  });

  it('is an unused recovery code, as text or as a hash, once and in any spelling', async () => {
    const sha512 = createHash('sha512').update('PQRS7890TUVW').digest('hex');
    const recovery_codes = [
      'ABCD-2345-efgh',
      { hash: await bcrypt('k3mp9-qdfx2', 4) },
      { hash: sha512, hash_type: 'sha_512' },
    ];
    const { email, user_id } = await imported(provider, { totp: { secret: SECRET }, recovery_codes });
    const recover = async (recovery_code: string) =>
      (await begin(email)).post('/totps/recover', { recovery_code, ...MINUTES });
    const left = async () => (await provider.services.db.selectFrom('recovery_codes').innerJoin('totps', 'totps.totp_id', 'recovery_codes.totp_id').select('place').where('user_id', '=', user_id).orderBy('place').execute()).map(({ place }) => place); // prettier-ignore
    expect(await left()).toEqual([0, 1, 2]);
    for (const [entered, rest] of [
      ['abcd 2345 EFGH', [1, 2]],
      // As the widget sends it.
      ['K3MP9qdfx2', [2]],
      ['pqrs-7890-tuvw', []],
    ] as const) {
      const { status, data } = await recover(entered);
      expect([entered, status, data['session']?.authentication_factors.length]).toEqual([entered, 200, 2]);
      expect(await left()).toEqual(rest);
      expect((await recover(entered)).body['error_type']).toBe('recovery_code_not_found');
    }
  });

  it('is counted as an app is: short codes of another system cannot be guessed day after day', async () => {
    const { email } = await imported(provider, { totp: { secret: SECRET }, recovery_codes: ['482913'] });
    const tried: unknown[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const { status, body } = await (
        await begin(email)
      ).post('/totps/recover', { recovery_code: '111111', ...MINUTES });
      tried.push(body['error_type'] ?? status);
    }
    expect(tried).toContain('too_many_mfa_attempts');
    const right = await (await begin(email)).post('/totps/recover', { recovery_code: '482913', ...MINUTES });
    expect(right.body['error_type']).toBe('too_many_mfa_attempts');
  });
});

describe.each(EITHER_DATABASE)('a login method of another system, on %s', (_, url) => {
  const provider = suiteProvider(url);
  const { request, authenticate } = passkeySteps(() => provider);

  it.each([
    ['its handle', {}],
    ['no handle, and nothing about its copies', { user_handle: null, backed_up: null, backup_eligible: null }],
    ['a key in SPKI and base64', { public_key: 'spki' }],
  ])('is a passkey, of which the browser names the user: with %s', async (__, more) => {
    const { authenticator, line } = await oldPasskey(`old-id-${Math.random()}`);
    const fields = { ...line, ...more };
    const passkeys = [
      { ...fields, public_key: fields.public_key === 'spki' ? spkiOf(line.public_key) : fields.public_key },
    ];
    const { user_id, reason } = await imported(provider, { passkeys });
    expect(reason).toBe('');
    const { status, data } = await authenticate(await authenticator.get(JSON.stringify(await request())));
    expect([status, data['user_id']]).toEqual([200, user_id]);
    expect(data['user'].webauthn_registrations).toMatchObject([
      { name: 'My old phone', domain: 'localhost', created_at: '2024-02-29T12:00:00.000Z', backup_eligible: true },
    ]);
    // What the authenticator says of its copies is known now, and another handle than the stored one is refused.
    expect((await authenticate(await authenticator.get(JSON.stringify(await request())))).status).toBe(200);
    const row = await provider.services.db.selectFrom('webauthn_registrations').selectAll().where('user_id', '=', user_id).executeTakeFirstOrThrow(); // prettier-ignore
    expect(row).toMatchObject({ backup_eligible: true, backed_up: true, user_handle: fields.user_handle });
  });

  it.each([
    ['known', false],
    ['not known', null],
  ])(
    'is a security key whose count goes on: a copy of it is refused. Its eligibility is %s',
    async (__, backup_eligible) => {
      const key = new SecurityKey();
      const { line } = await oldPasskey(`key-${backup_eligible}`, key);
      const passkeys = [{ ...line, counter: 7, backup_eligible, backed_up: false }];
      const { user_id } = await imported(provider, { passkeys });
      const enter = async (counter: number) => {
        const { status, data } = await authenticate(await key.get(JSON.stringify(await request()), counter));
        return status === 200 ? data['user_id'] : status;
      };
      expect([await enter(7), await enter(8), await enter(8), await enter(9)]).toEqual([400, user_id, 400, user_id]);
    },
  );

  it('is a social account, by its subject', async () => {
    const visitor = visitorOf(provider);
    const enter = async () => {
      const back = await visitor.login('google', { email: 'grace@example.org', verified: 'yes' });
      return provider.post('/oauth/authenticate', { token: back.searchParams.get('token') ?? '', ...MINUTES });
    };
    const first = await enter();
    const subject = String(first.data['provider_subject']);
    await provider.services.db.deleteFrom('users').where('user_id', '=', String(first.data['user_id'])).execute();
    const { user_id } = await imported(provider, { social_accounts: [{ provider: 'Google', subject, email: null }] });
    const { status, data } = await enter();
    expect([status, data['user_id'], data['provider_subject']]).toEqual([200, user_id, subject]);
  });

  it.each([
    ['ethereum', new SoftwareWallet()],
    ['solana', new SolanaWallet()],
  ] as const)('is a wallet: %s', async (type, wallet) => {
    const address = type === 'ethereum' ? wallet.address.toLowerCase() : wallet.address;
    const { user_id } = await imported(provider, { wallets: [{ type, address }] });
    const names = { crypto_wallet_type: type, crypto_wallet_address: wallet.address };
    const { data: started } = await provider.post('/crypto_wallets/authenticate/start/primary', names);
    const signature = wallet.sign(String(started['challenge']));
    const { status, data } = await provider.post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES });
    expect([status, data['user_id']]).toEqual([200, user_id]);
  });

  const person = async (n: number): Promise<Fields> => ({
    external_id: `old-${n}`,
    created_at: `2020-01-${10 + (n % 20)}T12:00:00.000Z`,
    emails: [{ email: `many-${n}@example.com`, verified: true }],
    totp: { secret: SECRET, ...(n % 2 === 0 ? { digits: 8, period: 60, algorithm: 'SHA256' } : {}) },
    recovery_codes: n % 3 === 0 ? [] : ['ABCD-2345', { hash: createHash('sha256').update(String(n)).digest('hex'), hash_type: 'sha_256' }], // prettier-ignore
    passkeys: [{ ...(await oldPasskey(`many-${n}`)).line, ...(n % 2 === 0 ? { user_handle: null, backup_eligible: null, backed_up: null, created_at: null, name: null } : { counter: n }) }], // prettier-ignore
    social_accounts: [{ provider: n % 2 === 0 ? 'github' : 'apple', subject: `subject-${n}` }],
    wallets: [{ type: 'ethereum', address: new SoftwareWallet().address }],
  });
  const TABLES = ['totps', 'webauthn_registrations', 'oauth_registrations', 'crypto_wallets'] as const;
  /** The rows of a user without new ids and sealed texts. */
  const written = async (external: string) => {
    const { db } = provider.services;
    const { user_id } = await db.selectFrom('users').select('user_id').where('external_id', '=', external).executeTakeFirstOrThrow(); // prettier-ignore
    const tables = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute())); // prettier-ignore
    const codes = await db.selectFrom('recovery_codes').innerJoin('totps', 'totps.totp_id', 'recovery_codes.totp_id').select(['place', 'migrated', 'sealed']).where('user_id', '=', user_id).orderBy('place').execute(); // prettier-ignore
    const log = await db.selectFrom('audit_log').select(['event', 'method', 'actor_kind', 'actor_id']).where('user_id', '=', user_id).orderBy('seq').execute(); // prettier-ignore
    const notices = await db.selectFrom('notices').select('event').where('user_id', '=', user_id).execute();
    const plain = tables.flat().map(
      (row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !/^(?:user|totp|webauthn_registration|oauth_user_registration|crypto_wallet)_id$|^secret$/u.test(name))), // prettier-ignore
    );
    return { plain, log, notices, codes: codes.map(({ migrated, sealed, place }) => [place, migrated === null, sealed === '']) }; // prettier-ignore
  };

  it('is written for many people together as for one, with a row of the audit log each and no notice', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(person));
    const all = async () => Promise.all([1, 2, 3, 4].map((n) => written(`old-${n}`)));
    // Rows without a time of their own are as old as now.
    expect((await importUsers(provider.services, people, BY)).map(({ result }) => result)).toEqual(
      Array(4).fill('imported'),
    );
    const together = await all();
    expect(together[0]?.notices).toEqual([]);
    expect(
      together[0]?.log.map(({ event, method, actor_kind, actor_id }) =>
        [event, method, actor_kind, actor_id].join(' '),
      ),
    ).toEqual([
      'user_imported  operator Grace',
      'factor_added totp operator Grace',
      'factor_added recovery_codes operator Grace',
      'factor_added webauthn operator Grace',
      'factor_added oauth operator Grace',
      'factor_added crypto operator Grace',
    ]);
    expect((await importUsers(provider.services, people, BY)).map(({ result }) => result)).toEqual(
      Array(4).fill('exists'),
    );
    await provider.services.db.deleteFrom('users').where('external_id', 'like', 'old-%').execute();
    for (const each of people) await importUser(provider.services, each, BY);
    const one = await all();
    for (const [place, each] of one.entries()) expect([each.plain, each.codes]).toEqual([together[place]?.plain, together[place]?.codes]); // prettier-ignore
  });

  it('is exported without secrets, and imported again as it was', async () => {
    const { db } = provider.services;
    await db.deleteFrom('users').execute();
    await importUsers(provider.services, await Promise.all([5, 6].map(person)), BY);
    const lines = async () => (await exportPage(provider.services, { limit: 100, withHashes: true }, BY)).lines;
    const before = await lines();
    expect(JSON.stringify(before)).not.toContain(PLAIN);
    expect(
      before.map((line) => Object.keys(line).filter((name) => /passkeys|social|wallets|totp|recovery/u.test(name))),
    ).toEqual([5, 6].map(() => ['passkeys', 'social_accounts', 'wallets']));
    await db.deleteFrom('users').execute();
    expect((await importUsers(provider.services, before, BY)).map(({ result }) => result)).toEqual([
      'imported',
      'imported',
    ]);
    expect(await lines()).toEqual(before);
    // A passkey that its owner disputes does not come back elsewhere.
    await db.updateTable('webauthn_registrations').set({ disputed_in: 'recovery-1' }).execute();
    expect((await lines()).some((line) => 'passkeys' in line)).toBe(false);
  });
});

/** The same P-256 key as a standard public key. */
function spkiOf(cose: string): string {
  const bytes = Buffer.from(cose, 'base64url');
  const [x, y] = [bytes.subarray(-67, -35), bytes.subarray(-32)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}
