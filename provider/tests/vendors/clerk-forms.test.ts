import { describe, expect, it } from 'vitest';
import { csvOf, exportFolder, lineOf, lossesOf, readExport, type Fields } from './export-files.ts';
import { COLUMNS, DIGEST } from './people/clerk.ts';

const file = exportFolder();
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** As `clerk migrate export clerk` writes it: the columns of the CSV, with lists, and without those of secrets. */
const CLI: readonly Fields[] = [
  { id: 'user_1', primary_email_address: 'ada@example.com', verified_email_addresses: ['ada2@example.com'], unverified_email_addresses: ['new@example.com'], first_name: 'Ada', public_metadata: { plan: 'gold' }, created_at: '2024-01-01T00:00:00.000Z', delete_self_enabled: true }, // prettier-ignore
  { id: 'user_2', primary_phone_number: '+12125550102', private_metadata: { clerkExternalId: 'crm-2' }, banned: true, delete_self_enabled: true }, // prettier-ignore
  { id: 'user_3', username: 'grace', delete_self_enabled: true, legal_accepted_at: '2024-02-01T00:00:00.000Z' },
];
const ROWS: readonly Fields[] = [
  { id: 'user_1', primary_email_address: 'ada@example.com', verified_email_addresses: 'ada@example.com|ada2@example.com', unverified_email_addresses: 'new@example.com', password_digest: DIGEST, password_hasher: 'bcrypt', totp_secret: SECRET }, // prettier-ignore
  // The dashboard writes a tab before what a spreadsheet could run.
  { id: 'user_2', primary_phone_number: '\t+12125550102', verified_phone_numbers: '\t+12125550102', first_name: '\t=Grace' }, // prettier-ignore
  { id: 'user_4', primary_email_address: 'late@example.com', unverified_email_addresses: 'late@example.com' },
];
const cli = (): string => file('export.json', JSON.stringify({ clerkMigrate: 1, source: 'clerk', exportedAt: '2026-01-01T00:00:00.000Z', runId: 'r', users: CLI }, null, 2)); // prettier-ignore
const csv = (): string => file('users.csv', csvOf(COLUMNS, ROWS));
const api = (): string => file('api.json', JSON.stringify([
  { id: 'user_1', primary_email_address_id: 'i', email_addresses: [{ id: 'i', email_address: 'ada@example.com', verification: { status: 'verified' } }], external_accounts: [{ provider: 'oauth_google', provider_user_id: '108', verification: { status: 'verified' } }], password_enabled: true }, // prettier-ignore
])); // prettier-ignore

describe('the files that Clerk makes', () => {
  it.each([
    ['tool first', () => [cli(), csv()]],
    ['dashboard first', () => [csv(), cli()]],
  ])('are joined, those of its command line tool too: %s', async (_, paths) => {
    const read = await readExport('clerk', paths());
    expect(read.wrong).toEqual([]);
    expect(read.users.map(({ line }) => line['external_id'])).toEqual(['user_1', 'user_2', 'user_3', 'user_4']);
    expect(lineOf(read, 'user_1')).toMatchObject({
      emails: [
        { email: 'ada@example.com', verified: true },
        { email: 'ada2@example.com', verified: true },
        { email: 'new@example.com', verified: false },
      ],
      password: { hash: DIGEST },
      totp: { secret: SECRET },
      trusted_metadata: { plan: 'gold' },
      created_at: '2024-01-01T00:00:00.000Z',
    });
    expect(lineOf(read, 'user_2')).toMatchObject({ phone_numbers: [{ phone_number: '+12125550102', verified: true }], locked: true, trusted_metadata: { clerk_external_id: 'crm-2' }, name: { first_name: '=Grace' } }); // prettier-ignore
    expect(lossesOf(read, 'user_2'), 'the tool has bans').toEqual(['social account']);
    expect(read.users[2]).toMatchObject({ terms_accepted_at: '2024-02-01T00:00:00.000Z' });
    expect(lossesOf(read, 'user_3')).toEqual(['username', 'social account', 'way in']);
    expect(lineOf(read, 'user_4')['emails']).toEqual([{ email: 'late@example.com', verified: false }]);
  });

  it('are three, in the end', async () => {
    const read = await readExport('clerk', [cli(), api(), csv()]);
    expect(lineOf(read, 'user_1')).toMatchObject({ password: { hash: DIGEST }, social_accounts: [{ subject: '108' }], trusted_metadata: { plan: 'gold' } }); // prettier-ignore
    expect(lossesOf(read, 'user_1')).toEqual([]);
    expect(read.users).toHaveLength(4);
  });

  it('say what the tool alone does not have', async () => {
    const read = await readExport('clerk', [cli()]);
    expect(read.users[0]?.losses).toMatchObject([
      { what: 'password', reason: expect.stringContaining('CSV') },
      { what: 'social account', reason: expect.stringContaining('Backend API') },
    ]);
    // Older versions of the tool wrote an unverified one as primary.
    expect(lineOf(read, 'user_1')['emails']).toContainEqual({ email: 'ada@example.com', verified: false });
  });

  it('may be the JSON that the support or the migration tool makes', async () => {
    const user = { id: 'user_1', primary_email_address: 'ada@example.com', email_addresses: ['ada@example.com', 'two@example.com'], phone_numbers: null, password_digest: DIGEST, password_hasher: 'bcrypt', totp_secret: null, public_metadata: {} }; // prettier-ignore
    const other = { ...user, id: 'user_2', primary_email_address: null, email_addresses: 'three@example.com', phone_numbers: '+12125550102' }; // prettier-ignore
    const read = await readExport('clerk', [file('support.json', JSON.stringify([user, other]))]);
    expect(read.wrong).toEqual([]);
    expect(lineOf(read, 'user_1')).toMatchObject({ password: { hash: DIGEST }, emails: [{ email: 'ada@example.com', verified: false }, { email: 'two@example.com', verified: false }] }); // prettier-ignore
    expect(lineOf(read, 'user_2')).toMatchObject({ emails: [{ email: 'three@example.com' }], phone_numbers: [{ phone_number: '+12125550102', verified: false }] }); // prettier-ignore
  });
});
