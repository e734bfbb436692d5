import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { requestFrom } from '#provider/operation/commands/requests.ts';
import { makeTarget, MINUTES } from '../attacks/attacker.ts';
import { SOAK } from '#tests/soak.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { browser as visitorOf } from '../kit/oauth-harness.ts';
import { LoginBrowser } from '../kit/second-step.ts';
import { csvOf, exportFolder } from './export-files.ts';
import { asCells, exportOf, type Person, type Values } from './exports.ts';
import { importCommand } from './import-command.ts';
import { assertionOf } from './verdict.ts';

const OLD = 'old.example';
/** The subject of the Google account of each export. */
const SUBJECT = '110248495921238986420';

/** The time of the codes that the apps of all exports show. */
const AT = Date.UTC(2026, 0, 1);

const asArray = (rows: readonly Values[]): string => JSON.stringify(rows);
const asLines = (rows: readonly Values[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const asCsv = (rows: readonly Values[]): string => csvOf([...new Set(rows.flatMap((row) => Object.keys(row)))], rows.map(asCells)); // prettier-ignore

interface Case {
  /** The files of the export by their names on the vendor's page. */
  readonly files: (
    old: Values,
    tables: Readonly<Record<string, readonly Values[]>>,
  ) => Readonly<Record<string, string>>;
  /** Who cannot log in with a password: they are locked, or must choose a new one. */
  readonly closed: readonly string[];
  readonly social: string | null;
}

const CASES: Readonly<Record<string, Case>> = {
  supabase: {
    files: (_, { users = [], identities = [], mfa_factors = [], webauthn_credentials = [] }) => ({
      'users.ndjson': asLines(users).replaceAll(/^.*"deleted_at":".*\n/gmu, ''),
      'identities.ndjson': asCsv(identities),
      'mfa_factors.ndjson': asArray(mfa_factors),
      'webauthn_credentials.ndjson': asArray(webauthn_credentials),
    }),
    closed: ['banned'],
    social: 'google',
  },
  'better-auth': {
    files: (_, { user = [], account = [], passkey = [], twoFactor = [], walletAddress = [] }) => ({
      'user.ndjson': asArray(user),
      'account.ndjson': asArray(account),
      'passkey.ndjson': asCsv(passkey),
      'twoFactor.ndjson': asLines(twoFactor),
      'walletAddress.ndjson': asArray(walletAddress),
    }),
    closed: ['banned', 'ban lasts'],
    social: 'google',
  },
  'next-auth': {
    files: (_, { User = [], Account = [], Authenticator = [] }) => ({
      'User.ndjson': asCsv(User),
      'Account.ndjson': asLines(Account),
      'Authenticator.ndjson': asArray(Authenticator),
    }),
    closed: [],
    social: 'google',
  },
  keycloak: {
    files: ({ realm }) => ({ 'realm.json': JSON.stringify(realm, null, 2) }),
    closed: ['temporary', 'disabled'],
    social: 'social',
  },
  kratos: {
    files: ({ identities }) => ({ 'identities.ndjson': asLines(identities as readonly Values[]) }),
    closed: ['inactive'],
    social: 'oidc',
  },
};

/** The command of the vendor's page. */
function commandOf(name: string): Fields {
  const page = readFileSync(join(ROOT, `docs/moving-from-${name}.md`), 'utf8').replaceAll(/\\\n\s*/gu, '');
  const [command = ''] = page.match(/^npx portico-provider users import .*$/mu) ?? [];
  const request = requestFrom(command.split(' ').slice(2), {});
  if (request.kind !== 'operator') throw new Error(`The page of ${name} has no command.`);
  return request.fields;
}

describe.each(EITHER_DATABASE)('after the import of an old system, on %s', (_, url) => {
  const file = exportFolder();
  let provider: Provider;
  let subject: string;
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'] };
    const origins = [`https://${OLD}`];
    provider = await makeTarget(url, {}, { mfa, origins, breach_detection: false });
    subject = String((await loginWithGoogle())['provider_subject']);
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    provider.clock.time = AT;
    await provider.services.db.deleteFrom('users').execute();
  });

  async function loginWithGoogle(): Promise<Fields> {
    const token = await visitorOf(provider).token('google', { email: 'grace@example.org', verified: 'yes' });
    return (await provider.post('/oauth/authenticate', { token, ...MINUTES })).data;
  }

  const rowOf = async (external_id: string) =>
    provider.services.db.selectFrom('users').selectAll().where('external_id', '=', external_id).executeTakeFirstOrThrow(); // prettier-ignore

  async function addressOf(person: Person): Promise<string> {
    const { user_id } = await rowOf(person.id);
    return (await provider.services.db.selectFrom('emails').select('email').where('user_id', '=', user_id).executeTakeFirstOrThrow()).email; // prettier-ignore
  }

  /** Enters the first factor: the password, or a code by email. */
  async function begin(person: Person): Promise<{ readonly browser: LoginBrowser; readonly status: number }> {
    const browser = new LoginBrowser(provider);
    const email = await addressOf(person);
    if (person.password !== undefined) {
      const { status } = await browser.post('/passwords/authenticate', {
        email,
        password: person.password,
        ...MINUTES,
      });
      return { browser, status };
    }
    const { method_id, code } = await provider.sendCode(email);
    return { browser, status: (await browser.post('/otps/authenticate', { token: code, method_id, ...MINUTES })).status }; // prettier-ignore
  }

  async function recover(person: Person, recovery_code: string): Promise<number> {
    const { browser } = await begin(person);
    return (await browser.post('/totps/recover', { recovery_code, ...MINUTES })).status;
  }

  async function loginWithPasskey(key: NonNullable<Person['keys']>[number]): Promise<unknown> {
    const start = { domain: OLD, return_passkey_credential_options: true };
    const { data } = await provider.post('/webauthn/authenticate/start/primary', start);
    const { challenge } = JSON.parse(data['public_key_credential_request_options']) as { readonly challenge: string };
    const { sign_count, user_handle } = await provider.services.db.selectFrom('webauthn_registrations').selectAll().where('credential_id', '=', key.credential_id).executeTakeFirstOrThrow(); // prettier-ignore
    const login = { rp_id: OLD, challenge, counter: sign_count, user_handle: user_handle ?? 'cmFuZG9t' };
    const public_key_credential = JSON.stringify(assertionOf(key, login));
    const reply = await new LoginBrowser(provider).post('/webauthn/authenticate', {
      public_key_credential,
      ...MINUTES,
    });
    return reply.status === 200 ? reply.data['user_id'] : reply.body;
  }

  function fieldsOf(name: string, { files }: Case, changes: Fields = {}): Fields {
    const old = exportOf(name);
    const texts = files(old, old.tables ?? {});
    const paths = new Map(Object.entries(texts).map(([path, text]) => [path, file(path, text.replaceAll(SUBJECT, subject))])); // prettier-ignore
    const { dry_run: _dry, ...fields } = commandOf(name);
    const secret = fields['secret_env'];
    if (typeof secret === 'string') vi.stubEnv(secret, old.secret ?? '');
    const also = ((fields['also'] ?? []) as readonly string[]).map((path) => paths.get(path));
    return { ...fields, file: paths.get(String(fields['file'])), also, rp_id: OLD, ...changes };
  }

  it.each(Object.entries(CASES))('people of %s log in with everything that they had', async (name, each) => {
    const { people } = exportOf(name);
    const { lines, failed } = await importCommand(provider)(fieldsOf(name, each));
    expect({ lines, failed }).toMatchObject({ failed: false });
    const imported = people.filter(({ label, client }) => client !== true && label !== 'deleted');
    expect(lines.at(-1)).toBe(`${imported.length} imported, 0 were there already, 0 refused.`);
    const counts = { passwords: 0, apps: 0, codes: 0, passkeys: 0 };
    for (const person of imported) {
      const { password, app, codes = [], used = [], keys = [], label } = person;
      const isClosed = each.closed.includes(label);
      // Each hash costs a part of a second, and readers are tested with all of them.
      if (password !== undefined && (SOAK || isClosed || counts.passwords === 0)) {
        const { status } = await begin(person);
        expect(status === 200, `${label}: ${status}`).toBe(!isClosed);
        if (counts.passwords === 0)
          expect((await begin({ ...person, password: `wrong ${password}` })).status).toBe(401);
        if (!isClosed) counts.passwords += 1;
      }
      if (app !== undefined) {
        expect(await appLogin(person), `${label}: the code of the app`).toBe(200);
        counts.apps += 1;
      }
      for (const code of used) expect(await recover(person, code), `${label}: a used code`).toBe(404);
      const [first = '', second = ''] = codes;
      if (codes.length > 0) {
        expect(await recover(person, first), `${label}: a recovery code`).toBe(200);
        expect(await recover(person, first), `${label}: the same code again`).toBe(404);
        const variant = second.toLowerCase().replaceAll('-', '').replace(/^.{4}/u, '$& ');
        expect(await recover(person, variant), `${label}: a code in another spelling`).toBe(200);
        counts.codes += 1;
      }
      for (const key of keys) {
        const { user_id } = await rowOf(person.id);
        expect(await loginWithPasskey(key), `${label}: a passkey`).toBe(user_id);
        counts.passkeys += 1;
      }
    }
    const social = people.find(({ label }) => label === each.social);
    if (social !== undefined) {
      const { user_id } = await rowOf(social.id);
      expect((await loginWithGoogle())['user_id'], 'the Google account').toBe(user_id);
    }
    const has = (isThere: (person: Person) => unknown): boolean => imported.some((person) => Boolean(isThere(person)));
    expect(Object.values(counts).map((count) => count > 0)).toEqual([true, has(({ app }) => app), has(({ codes }) => codes), true]); // prettier-ignore
  });

  const WITHOUT_RP_ID =
    'The export has passkeys and does not say of which domain: add it, such as --rp-id example.com.';

  it.each(Object.entries(CASES))('nothing of %s is written if an option is missing', async (name, each) => {
    const fields = fieldsOf(name, each, { rp_id: undefined });
    const skip_wrong = `${String(fields['file'])}-wrong.jsonl`;
    const run = async (changes: Fields) =>
      (await importCommand(provider)({ ...fields, skip_wrong, ...changes })).lines.at(-1);
    // A realm names the domain itself.
    if (name !== 'keycloak') expect(await run({})).toBe(WITHOUT_RP_ID);
    if (fields['secret_env'] !== undefined) {
      const rp_id = OLD;
      expect(await run({ rp_id, secret_env: undefined })).toMatch(/ encrypted .* --secret-env/u);
      vi.stubEnv('PORTICO_TEST_WRONG_SECRET', 'A'.repeat(43));
      const wrong = await run({ rp_id, secret_env: 'PORTICO_TEST_WRONG_SECRET' });
      expect(wrong).toBe('The secret is wrong: it decrypts no value of the export. Give the one of the old system.'); // prettier-ignore
    }
    expect(await provider.services.db.selectFrom('users').select('user_id').execute()).toEqual([]);
  });

  it('a wrong user of a realm is left out alone, with its own record', async () => {
    const realm = exportOf('keycloak')['realm'] as { readonly users: readonly Values[] };
    const users = realm.users.map((user, at) => (at === 0 ? { ...user, createdTimestamp: 'long ago' } : user));
    const first = { file: file('first.json', JSON.stringify({ ...realm, users: [] })), from: 'keycloak' };
    const skip_wrong = `${first.file}-wrong.jsonl`;
    const also = [file('old-users-0.json', JSON.stringify({ realm: 'old', users }))];
    const { lines } = await importCommand(provider)({ ...first, also, skip_wrong });
    expect(lines.at(-1)).toMatch(/^21 imported, .* 1 line is wrong/u);
    const rows = readFileSync(skip_wrong, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Fields); // prettier-ignore
    expect(rows).toMatchObject([{ place: 'record 1 of old-users-0.json', record: { createdTimestamp: 'long ago' } }]);
    expect(rows[0]?.['record']).not.toHaveProperty('users');
  });

  async function appLogin(person: Person): Promise<number> {
    const { browser, status } = await begin(person);
    if (status !== 200) return status;
    // The old system's test read it from an app at this time.
    return (await browser.post('/totps/authenticate', { totp_code: person.app?.code, ...MINUTES })).status;
  }
});
