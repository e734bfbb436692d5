import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { as, makeApps, OFFLINE, type Apps } from '../kit/idp-harness.ts';
import { administer } from '../kit/managing.ts';
import { browser } from '../kit/oauth-harness.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { codeOf, enrolTotp, MINUTES, passkey, phone, wallet } from './attacker.ts';
import { dumpOf, type Dump } from './database-dump.ts';
import { soakIt } from '#tests/soak-tests.ts';

const EMAIL = 'edith@example.com';
const OTHER = 'somebody-else@example.com';
const OPERATOR = 'ann@operators.example';

/** The columns of the user's own rows whose values may be in the file. No value of another column or row may. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  users: ['user_id', 'name', 'trusted_metadata', 'untrusted_metadata', 'roles', 'status'],
  emails: ['email_id', 'email'],
  phone_numbers: ['phone_id', 'phone_number'],
  passwords: ['password_id'],
  totps: ['totp_id'],
  webauthn_registrations: ['webauthn_registration_id', 'domain', 'user_agent', 'authenticator_type', 'name', 'aaguid'],
  crypto_wallets: ['crypto_wallet_id', 'crypto_wallet_address', 'crypto_wallet_type'],
  oauth_registrations: [
    'oauth_user_registration_id',
    'provider_type',
    'provider_subject',
    'profile_picture_url',
    'locale',
  ],
  sessions: ['session_id', 'attributes'],
  trusted_devices: ['device_id', 'user_agent', 'ip_address'],
  oauth_grants: ['client_id', 'scopes'],
  audit_log: ['event', 'outcome', 'actor_kind', 'method'],
};

/** The texts in a value that tell one row from another: no words of the program, and no times. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* textsIn(each);
  } else if (typeof value === 'string' && !/^[a-z_ ]*$|^\d{4}-\d\d-\d\dT/u.test(value) && value.length >= 8) {
    if (/^[[{]/u.test(value)) yield* textsIn(JSON.parse(value));
    yield value;
  }
}

const textsOf = (dump: Dump, isWanted: (table: string, column: string, row: Fields) => boolean): ReadonlySet<string> =>
  new Set(
    Object.entries(dump.tables).flatMap(([table, rows]) =>
      rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) => (isWanted(table, column, row) ? [...textsIn(value)] : [])),
      ),
    ),
  );

describe.each(EITHER_DATABASE)('the file with the data of a user, on %s', (_, url) => {
  let apps: Apps;
  let provider: Provider;
  let session: string;
  let secrets: readonly string[];

  /** A user with one of everything, whose flows are in progress. */
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', trusted_devices: { days: 30 } };
    apps = await makeApps(url, { mfa });
    ({ provider } = apps);
    const { post } = provider;
    const social = await browser(provider).token('google', { account: EMAIL });
    await post('/oauth/authenticate', { token: social, ...MINUTES });
    const password = 'correct horse battery staple 1066';
    const changed = await post('/passwords/session/reset', { password, ...MINUTES }, as(apps.signedIn.user));
    session = String(changed.data['session_token'] ?? as(apps.signedIn.user).session);
    for (const add of [wallet, passkey, phone]) {
      const added = await (await add(provider).begin(session))();
      expect(added.status).toBe(200);
      session = String(added.data['session_token']);
    }
    const app = await enrolTotp(provider, session);
    provider.clock.time += 30_000;
    const trusted = new LoginBrowser(provider);
    await enterEmail(provider, trusted, EMAIL);
    const proof = { totp_code: codeOf(provider, app.secret), trust_device: true, ...MINUTES };
    const proven = await trusted.post('/totps/authenticate', proof);
    session = String(proven.data['session_token']);
    await apps.tokensFor(OFFLINE, { session_token: session });
    const acting = await administer(provider.services, 'impersonate', { user: EMAIL, by: OPERATOR });
    await post('/impersonation/authenticate', { impersonation_token: acting.token });
    const { code } = await provider.sendCode(EMAIL);
    const link = await provider.sendLink(EMAIL);
    const other = await provider.signIn(OTHER);
    secrets = [app.secret, ...app.recovery_codes, code, link, password, session, String(proven.data['session_jwt'])];
    secrets = [...secrets, String(proven.data['trusted_device_token']), String(other['user_id']), OTHER, OPERATOR];
  });
  afterAll(() => provider.close());

  const read = (own = session) => provider.call('GET', '/users/me/export', undefined, { session: own });

  it('has what is shown of everything that the user has', async () => {
    const { status, data } = await read();
    expect(status).toBe(200);
    const { user, sessions, trusted_devices, connected_apps, audit_log } = data['data'] as Fields;
    for (const list of ['emails', 'phone_numbers', 'totps', 'webauthn_registrations', 'crypto_wallets', 'providers']) {
      expect(user[list], list).toHaveLength(1);
    }
    expect(user['password']).not.toBe(null);
    expect([trusted_devices.length, connected_apps[0].scopes_granted]).toEqual([1, OFFLINE.join(' ')]);
    const impersonated = (sessions as readonly Fields[]).filter(({ authentication_factors: factors }) =>
      JSON.stringify(factors).includes('impersonated'),
    );
    expect(impersonated.map(({ attributes }) => attributes as unknown)).toEqual([{ ip_address: '', user_agent: '' }]);
    const events = (audit_log as readonly Fields[]).map(({ event }) => String(event));
    for (const event of ['login', 'factor_added', 'consent', 'impersonation']) expect(events).toContain(event);
    const keys = new Set((audit_log as readonly Fields[]).flatMap((row) => Object.keys(row)));
    expect([...keys].sort()).toEqual(['actor', 'created_at', 'event', 'method', 'outcome']);
  });

  it('has no secret, no hash, and nothing of other people: no value of a column that is not shown', async () => {
    const text = JSON.stringify((await read()).data['data']);
    const { user_id } = (await provider.call('GET', '/users/me', undefined, { session })).data;
    const dump = await dumpOf(provider.services.db);
    const isShown = (table: string, column: string, row: Fields) =>
      row['user_id'] === user_id && SHOWN[table]?.includes(column) === true;
    const shown = textsOf(dump, isShown);
    const hidden = textsOf(dump, (...of) => !isShown(...of));
    expect([...shown].filter((each) => text.includes(each)).length).toBeGreaterThan(10);
    const leaked = [...hidden].filter((each) => !shown.has(each) && text.includes(JSON.stringify(each).slice(1, -1)));
    expect(leaked).toEqual([]);
    for (const secret of secrets) expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });

  soakIt('is written into the audit log, and is not made without limit', async () => {
    const { session_token, user_id } = await provider.signIn('often@example.com');
    const replies: number[] = [];
    for (let made = 0; made < 25; made += 1) replies.push((await read(String(session_token))).status);
    const [good, refused] = [200, 429].map((status) => replies.filter((each) => each === status).length);
    expect([good, refused]).toEqual([20, 5]);
    const rows = await provider.services.db
      .selectFrom('audit_log')
      .select('actor_kind')
      .where('user_id', '=', String(user_id))
      .where('event', '=', 'user_exported')
      .where('outcome', '=', 'ok')
      .execute();
    expect(rows).toEqual(Array.from({ length: 20 }, () => ({ actor_kind: 'user' })));
  });
});
