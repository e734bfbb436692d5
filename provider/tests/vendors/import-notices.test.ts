import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import type { Provider } from '../kit/harness.ts';
import { csvOf, exportFolder, type Fields } from './export-files.ts';
import { importCommand } from './import-command.ts';

const file = exportFolder();
const TERMS = { terms_id: 'tos', version: '2026-11', title: 'Terms', url: 'https://app.example.com/terms' };
const PAGES = { origins: ['https://app.example.com'], redirect_urls: ['https://app.example.com/'] };

/** `--dry-run` with these settings in the project file. A dry run reads no database. */
async function dryRun(settings: Fields, fields: Fields, json = false) {
  const project = projectFrom({ ...PAGES, ...settings });
  const provider = { services: { project } } as Pick<Provider, 'services'>;
  return importCommand(provider)({ dry_run: true, ...fields }, { json });
}

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const person = (n: number, more: Fields = {}): Fields => ({ external_id: `crm-${n}`, emails: [{ email: `person${n}@example.com`, verified: true }], ...more }); // prettier-ignore
const lines = (records: readonly Fields[]): string => records.map((record) => JSON.stringify(record)).join('\n');
const kratos = (n: number, more: Fields = {}): Fields => ({ id: `k${n}`, schema_id: 'default', traits: { email: `person${n}@example.com` }, verifiable_addresses: [{ value: `person${n}@example.com`, verified: true }], ...more }); // prettier-ignore
const firebase = (n: number, more: Fields = {}): Fields => ({ localId: `f${n}`, email: `person${n}@example.com`, emailVerified: true, ...more }); // prettier-ignore

describe('what an import says about all people', () => {
  it('warns of authenticator apps that no login asks for', async () => {
    const path = file('apps.jsonl', lines([person(1, { totp: { secret: SECRET } }), person(2)]));
    const warning = 'warning: 1 user has an authenticator app, and logins do not ask for it: ';
    expect((await dryRun({}, { file: path })).lines).toEqual([
      `${warning}set mfa in the project file, such as "mfa": { "policy": "when_enrolled" }`,
      '2 lines are in order.',
    ]);
    const other = { mfa: { policy: 'when_enrolled', factors: ['webauthn'] } };
    expect((await dryRun(other, { file: path })).lines[0]).toBe(
      `${warning}add totp to mfa.factors of the project file`,
    );
    expect((await dryRun({ mfa: { policy: 'when_enrolled' } }, { file: path })).lines).toEqual([
      '2 lines are in order.',
    ]);
    expect(JSON.parse((await dryRun({}, { file: path }, true)).lines[0] ?? '')).toHaveProperty('warning');
  });

  it('warns of countries to which the project sends no text messages', async () => {
    const people = [firebase(1, { phoneNumber: '+4915112345678' }), firebase(2, { phoneNumber: '+14155550102' }), firebase(3, { phoneNumber: '+4915112345679' })]; // prettier-ignore
    const fields = { file: file('numbers.json', JSON.stringify({ users: people })), from: 'firebase' };
    expect((await dryRun({ sms_countries: ['US'] }, fields)).lines).toEqual([
      expect.stringMatching(/^warning: the project sends no text messages to the countries of some numbers, which are left out: DE \(2\)\. Add these countries to sms_countries/u), // prettier-ignore
      '2 users keep address; lose phone number (the project sends no text messages to DE).',
      '1 user keeps address and phone number.',
      '3 users are in order.',
    ]);
    const alone = { file: file('alone.jsonl', lines([{ phone_numbers: [{ phone_number: '+4915112345678' }] }])) };
    expect((await dryRun({ sms_countries: [] }, alone)).lines[0]).toBe(
      'line 1: phone_numbers[0].phone_number must be of a country in sms_countries of the project file: add DE there',
    );
  });

  it('counts those who are locked', async () => {
    const path = file('locked.json', lines([kratos(1, { state: 'inactive' }), kratos(2)]));
    const { lines: output } = await dryRun({}, { file: path, from: 'kratos' });
    expect(output).toContain('1 user is locked, and cannot log in until an operator unlocks them.');
    expect((await dryRun({}, { file: path, from: 'kratos' }, true)).lines).toContain('{"locked":1}');
  });

  it('takes the old acceptance of terms as that of the versions in the project file', async () => {
    const clerk = { id: 'user_1', email_addresses: [], external_accounts: [], password_enabled: false, legal_accepted_at: 1_700_000_000_000, phone_numbers: [{ phone_number: '+14155550102', verification: { status: 'verified' } }] }; // prettier-ignore
    const path = file('clerk.json', JSON.stringify([clerk]));
    const fields = { file: path, from: 'clerk' };
    expect((await dryRun({}, fields)).lines[0]).toContain('loses terms (the project file has no terms in profile)');
    const profile = { terms: [TERMS], url: 'https://app.example.com/' };
    expect((await dryRun({ profile }, fields)).lines).toEqual(['1 user keeps phone number.', '1 user is in order.']);
  });
});

describe('what an import says about single people', () => {
  it('names those with damaged data, and whom it cannot import, by their address', async () => {
    const damaged = kratos(1, { credentials: { totp: { config: { totp_url: 'x' } } } });
    const path = file('damaged.json', lines([damaged, kratos(2, { id: undefined })]));
    const { lines: output, failed } = await dryRun({}, { file: path, from: 'kratos' });
    expect(failed).toBe(true);
    expect(output).toEqual([
      'record 1 of damaged.json (person1@example.com): the user loses app (its totp_url must be otpauth://totp/… with a secret in base32).', // prettier-ignore
      '1 user keeps address; loses app (its totp_url must be otpauth://totp/… with a secret in base32).',
      'record 2 of damaged.json (person2@example.com): id must be there: export all columns of the table',
      'Nothing was imported. 1 user is in order. 1 line is wrong.',
    ]);
  });

  it('counts the good lines of a dry run beside the wrong ones', async () => {
    const wrong = Array.from({ length: 30 }, (_, n) => ({ external_id: `w${n}`, emial: [] }));
    const path = file('mixed.jsonl', lines([person(1), ...wrong, person(2)]));
    const { lines: output, failed } = await dryRun({}, { file: path });
    expect(failed).toBe(true);
    expect(output).toHaveLength(21);
    expect(output[0]).toMatch(/^line 2: emial must be left out/u);
    expect(output.at(-1)).toBe('Nothing was imported. 2 lines are in order. 30 lines are wrong. --skip-wrong FILE lists them all.'); // prettier-ignore
    const json = await dryRun({}, { file: path }, true);
    expect(json.lines.slice(-2)).toEqual(['{"lines":2,"wrong":30}', 'Nothing was imported. 30 lines are wrong.']);
    expect(JSON.parse(json.lines[0] ?? '')).toMatchObject({
      place: 'line 2',
      wrong: [expect.stringContaining('emial')],
    });
  });
});

describe('a file of an import', () => {
  it('may be a gzip file', async () => {
    const zipped = gzipSync(JSON.stringify({ users: [firebase(1), firebase(2)] }));
    expect((await dryRun({}, { file: file('users.json.gz', zipped), from: 'firebase' })).lines.at(-1)).toBe('2 users are in order.'); // prettier-ignore
    const own = file('own.jsonl.gz', gzipSync(lines([person(1)])));
    expect((await dryRun({}, { file: own })).lines).toEqual(['1 line is in order.']);
    const cut = file('cut.gz', zipped.subarray(0, -10));
    expect((await dryRun({}, { file: cut, from: 'firebase' })).lines[0]).toMatch(/cut\.gz is a gzip file that is damaged or cut off/u); // prettier-ignore
  });

  it('is not unpacked without a bound', async () => {
    const bomb = file('bomb.gz', gzipSync(`[{"localId":"${'a'.repeat(4 * 2 ** 20)}"}]`));
    for (const fields of [{}, { from: 'firebase' }, { from: 'keycloak' }]) {
      expect((await dryRun({}, { file: bomb, ...fields })).lines[0]).toMatch(/bomb\.gz becomes more than 200 times larger/u); // prettier-ignore
    }
  });

  it('says how it becomes readable if another program packed or encrypted it', async () => {
    const zip = file('users.zip', Buffer.from('PK\u0003\u0004rest'));
    expect((await dryRun({}, { file: zip, from: 'auth0' })).lines[0]).toMatch(/users\.zip is a ZIP archive: unpack it first\.$/u); // prettier-ignore
    const pgp = file('hashes.asc', '-----BEGIN PGP MESSAGE-----\n\nhQIM\n');
    expect((await dryRun({}, { file: pgp, from: 'auth0' })).lines[0]).toMatch(/hashes\.asc is encrypted with PGP: decrypt it first/u); // prettier-ignore
  });
});

const id = '9d9a7d3c-1c2b-4a5e-8f6d-0a1b2c3d4e5f';
const USERS: Readonly<Record<string, Fields>> = {
  stytch: { user_id: `user-live-${id}`, emails: [] },
  auth0: { user_id: 'auth0|5dea', email: 'a@example.com' },
  clerk: { id: 'user_2YDr', primary_email_address: 'a@example.com', password_digest: '', username: 'ada' },
  firebase: { localId: 'a', email: 'a@example.com' },
  cognito: { Username: 'ada', UserStatus: 'CONFIRMED', Attributes: [{ Name: 'email', Value: 'a@example.com' }] },
  supabase: { id, email: 'a@example.com', raw_user_meta_data: {}, encrypted_password: '' },
  keycloak: { id, username: 'ada', createdTimestamp: 1, credentials: [] },
  kratos: { id, schema_id: 'default', traits: { email: 'a@example.com' } },
};

describe('an export of another product than --from', () => {
  it.each(Object.keys(USERS))('is refused by every reader, and the right one is named: %s', async (name) => {
    const user = USERS[name] ?? {};
    const paths = [file(`${name}.json`, JSON.stringify([user])), file(`${name}.csv`, csvOf(Object.keys(user), [user]))];
    for (const from of [...Object.keys(USERS), 'better-auth', 'next-auth']) {
      for (const path of paths) {
        const { lines: output } = await dryRun({}, { file: path, from });
        const text = output.join('\n');
        if (from === name) expect(text).not.toContain('is no export of');
        else expect(output).toEqual([`Nothing was imported. ${path} is no export of ${from}: its fields are those of --from ${name}.`]); // prettier-ignore
      }
    }
  });
});
