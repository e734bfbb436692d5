import { describe, expect, it } from 'vitest';
import { exportOf, fileOf, optionsOf, reading } from './exports.ts';
import { csvOf, exportFolder, lineOf, lossesOf, readExport, type Fields } from './export-files.ts';
import { VENDORS } from '#provider/operation/vendors/vendors.ts';

const file = exportFolder();
const USERS: readonly Fields[] = [
  { user_id: 'auth0|1', email: 'zo\u00eb@example.com', email_verified: true, name: 'Zo\u00eb, "the" \u738b' },
  { user_id: 'auth0|2', email: 'two@example.com', email_verified: false, name: '\uFFFD' },
];
const COLUMNS = ['user_id', 'email', 'email_verified', 'name'];
const csv = csvOf(COLUMNS, USERS);
/** As spreadsheets of some countries, and databases, write it. */
const separatedBy = (separator: string): string =>
  [COLUMNS, ...USERS.map((user) => COLUMNS.map((column) => `"${String(user[column]).replaceAll('"', '""')}"`))]
    .map((cells) => cells.join(separator))
    .join('\r\n');
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a file from a spreadsheet, a database or a shell', () => {
  it.each<readonly [form: string, content: string | Uint8Array]>([
    ['commas', csv],
    ['semicolons', separatedBy(';')],
    ['tabs', separatedBy('\t')],
    ['a byte order mark', `\uFEFF${separatedBy(';')}`],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${csv}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(csv, 'utf16le')],
    ['UTF-16 with the larger byte first', bigEndian(csv)],
    ['that and a mark', bigEndian(`\uFEFF${separatedBy('\t')}`)],
    ['JSON in UTF-16 without a mark', Buffer.from(JSON.stringify(USERS), 'utf16le')],
  ])('is read: %s', async (_, content) => {
    const { users, wrong } = await readExport('auth0', [file('users.txt', content)]);
    expect(wrong, 'a replacement character of the old system is text').toEqual([]);
    expect(users.map(({ line }) => [line['external_id'], line['emails'], line['name']])).toEqual([
      ['auth0|1', [{ email: 'zo\u00eb@example.com', verified: true }], { first_name: 'Zo\u00eb, "the" \u738b' }],
      ['auth0|2', [{ email: 'two@example.com', verified: false }], { first_name: '\uFFFD' }],
    ]);
  });
});

describe('what an export leaves out', () => {
  it.each<readonly [vendor: string, user: Fields, what: string, reason: string]>([
    ['supabase', { id: '1', email: 'a@example.com', raw_user_meta_data: {} }, 'password', 'encrypted_password'],
    ['keycloak', { id: '1', username: 'a', email: 'a@example.com', createdTimestamp: 1 }, 'password', 'kc.sh export'],
    ['auth0', { user_id: 'auth0|1', email: 'a@example.com', multifactor_last_modified: '2024-01-01T00:00:00Z' }, 'app', 'support'],
    ['better-auth', { id: '1', email: 'a@example.com', emailVerified: true, apiToken: 'x' }, 'metadata', 'secrets'],
    ['keycloak', { id: '1', username: 'a', email: 'a@example.com', credentials: [{ type: 'sms' }] }, 'app', 'plugin'],
  ])('is counted: %s', async (vendor, user, what, reason) => {
    const { users } = await readExport(vendor, [file(`${vendor}.json`, JSON.stringify([user]))]);
    expect(users[0]?.losses).toContainEqual({ what, reason: expect.stringContaining(reason) });
  }); // prettier-ignore
});

describe('a social account of another product', () => {
  const cognito = (identity: Fields): string => file('cognito.json', JSON.stringify([{ Username: 'x', UserStatus: 'EXTERNAL_PROVIDER', Attributes: [{ Name: 'sub', Value: 's' }, { Name: 'email', Value: 'a@example.com' }, { Name: 'identities', Value: JSON.stringify([identity]) }] }])); // prettier-ignore

  it('has the kind of the provider, whatever an administrator calls it', async () => {
    const named = await readExport('cognito', [cognito({ userId: '108', providerName: 'Our Google', providerType: 'Google' })]); // prettier-ignore
    expect(lineOf(named, 's')['social_accounts']).toEqual([{ provider: 'google', subject: '108', email: null }]);
    const saml = await readExport('cognito', [cognito({ userId: 'a', providerName: 'Okta', providerType: 'SAML' })]);
    expect(lossesOf(saml, 's')).toEqual(['social account']);
  });

  it('needs the workspace of a Slack id', async () => {
    const old = exportOf('better-auth');
    const vendor = VENDORS['better-auth'];
    if (vendor === undefined) throw new Error('There is no vendor.');
    const user = { id: '1', email: 'a@example.com', emailVerified: true };
    const read = async (accountId: string) =>
      (await reading(vendor, [fileOf('user.json', [user]), fileOf('account.json', [{ id: '2', userId: '1', providerId: 'slack', accountId }])], optionsOf(old))).users[0]; // prettier-ignore
    expect((await read('T0123ABC-U0456DEF'))?.line['social_accounts']).toEqual([{ provider: 'slack', subject: 'T0123ABC-U0456DEF', email: null }]); // prettier-ignore
    expect((await read('U0456DEF'))?.losses).toEqual([{ what: 'social account', reason: 'the export lacks the id of its Slack workspace' }]); // prettier-ignore
  });

  it('of Microsoft has the subject of a login, and no id of a directory', async () => {
    const oid = '00000000-0000-0000-0000-000000000001';
    const rows = [oid, '4cf0a30169d55031', 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ'].map((provider_id, n) => [{ id: String(n), email: `a${n}@example.com`, raw_user_meta_data: {}, encrypted_password: '' }, { id: `i${n}`, user_id: String(n), provider: 'azure', provider_id, identity_data: {} }]); // prettier-ignore
    const paths = [0, 1].map((at) => file(`azure-${at}.json`, JSON.stringify(rows.map((row) => row[at]))));
    const read = await readExport('supabase', paths);
    expect(
      read.users.map(({ line, losses }) => [line['social_accounts'] !== undefined, losses.map(({ reason }) => reason)]),
    ).toEqual([
      // prettier-ignore
      [false, ['the export has the id of Microsoft’s directory, and a login sends another one']],
      [false, ['the export has the id of Microsoft’s directory, and a login sends another one']],
      [true, []],
    ]);
  });

  it('of Microsoft has the id of the directory at Keycloak, too', async () => {
    const user = { id: '1', username: 'a', email: 'a@example.com', credentials: [], federatedIdentities: [{ identityProvider: 'microsoft', userId: '00000000-0000-0000-0000-000000000001', userName: 'a' }] }; // prettier-ignore
    const { users } = await readExport('keycloak', [file('microsoft.json', JSON.stringify([user]))]);
    expect(users[0]?.line['social_accounts']).toBeUndefined();
    expect(users[0]?.losses).toContainEqual({ what: 'social account', reason: expect.stringContaining('another id of microsoft') }); // prettier-ignore
  });
});
