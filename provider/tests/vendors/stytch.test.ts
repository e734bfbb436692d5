import { describe, expect, it } from 'vitest';
import { csvOf, exportFolder, lineOf, lossesOf, readExport } from './export-files.ts';
import { COLUMNS, HEAD, id, PEOPLE, ROWS } from './people/stytch.ts';

const file = exportFolder();
const users = (): string => file('users.json', JSON.stringify(PEOPLE, null, 2));

describe('an export of Stytch', () => {
  it('keeps ids, contacts, social accounts and wallets, and names what has no form in it', async () => {
    const read = await readExport('stytch', [users()]);
    expect(read.wrong).toEqual([]);
    expect(read.users).toHaveLength(20);
    expect(lineOf(read, id(1))).toEqual({
      user_id: id(1),
      created_at: '2024-01-11T09:54:59.000Z',
      name: { first_name: 'Ada', middle_name: 'King', last_name: 'Lovelace' },
      emails: [{ email: 'ada@example.com', verified: true }],
    });
    expect(lossesOf(read, id(1))).toEqual(['password']);
    expect(lineOf(read, id(2))['emails']).toEqual([{ email: 'grace@example.com', verified: false }]);
    expect(lineOf(read, id(3))).toMatchObject({ phone_numbers: [{ phone_number: '+14155550103', verified: true }] });
    expect(lineOf(read, id(4))).toMatchObject({ name: { first_name: '\u738b', last_name: 'Zo\u00eb \u{1F600}' } });
    expect(lineOf(read, id(5))['social_accounts']).toEqual([{ provider: 'google', subject: '10769150350006150715113082367', email: null }]); // prettier-ignore
    expect(lineOf(read, id(6))).toMatchObject({ social_accounts: [{ provider: 'github' }, { provider: 'microsoft' }] });
    expect(lossesOf(read, id(7))).toEqual(['app', 'recovery codes']);
    expect(lossesOf(read, id(8)), 'an app that was never verified').toEqual([]);
    expect(lossesOf(read, id(9))).toEqual(['passkey']);
    expect(lineOf(read, id(10))['wallets']).toEqual([{ type: 'ethereum', address: '0x6df2dB4Fb3DA35d241901Bd53367770BF03123f1' }]); // prettier-ignore
    expect(lineOf(read, id(11))).toMatchObject({ wallets: [{ type: 'solana' }] });
    expect(lineOf(read, id(12))).toMatchObject({ status: 'pending' });
    expect(lineOf(read, id(13))).toMatchObject({ trusted_metadata: { plan: 'gold, "24"' }, untrusted_metadata: { lang: 'fr' } }); // prettier-ignore
    expect(lossesOf(read, id(14))).toEqual(['passkey']);
    expect(lineOf(read, id(15))['emails'], 'one person').toEqual([{ email: 'twice@example.com', verified: true }]);
    expect(lossesOf(read, id(17))).toEqual(['metadata']);
    expect(lossesOf(read, id(18))).toEqual(['social account']);
    expect(lineOf(read, id(20))).toMatchObject({ created_at: '2021-02-28T22:00:00.000Z' });
  });

  it('is the same from CSV, whose header is repeated', async () => {
    const [json, csv] = [PEOPLE.slice(0, 19), csvOf(COLUMNS, PEOPLE.slice(0, 12))];
    const rest = csvOf(COLUMNS, PEOPLE.slice(12, 19));
    const fromCsv = await readExport('stytch', [file('users.csv', `${csv}\n${rest}\n`)]);
    const fromJson = await readExport('stytch', [file('some.json', JSON.stringify(json))]);
    expect(fromCsv.wrong).toEqual([]);
    expect(fromCsv.users.map(({ line, losses }) => ({ line, losses }))).toEqual(fromJson.users.map(({ line, losses }) => ({ line, losses }))); // prettier-ignore
  });

  it.each([
    ['with the rows above it', HEAD],
    ['without a header', ''],
  ])('takes the hashes from their file, %s, in either order', async (_, head) => {
    const hashes = file('hashes.csv', head + ROWS.join('\n'));
    for (const paths of [
      [users(), hashes],
      [hashes, users()],
    ]) {
      const read = await readExport('stytch', paths);
      expect(read.wrong).toEqual([]);
      expect(lineOf(read, id(1))['password']).toMatchObject({
        hash: '8dg6AaIWPfcLTQU7lb4H-CI49dHeqaBXfFE1ogb2qRQ=',
        salt: 'zKia-0BdIFKCzWbzXbj3qrhBnbiWNg==',
        hash_type: 'scrypt_stytch',
        ...(head === '' ? {} : { scrypt_config: { n_parameter: 32_768, r_parameter: 8, p_parameter: 1, key_length: 32 } }), // prettier-ignore
      });
      expect(lossesOf(read, id(1))).toEqual([]);
      expect(lineOf(read, id(2))['password']).toEqual({ hash: '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.', requires_reset: true }); // prettier-ignore
    }
  });

  it('names a user whose hash is not in the file, and a record without an id', async () => {
    const hashes = file('few.csv', HEAD + ROWS.slice(0, 2).join('\n'));
    const broken = file('broken.json', JSON.stringify([...PEOPLE.slice(0, 2), { emails: [] }]));
    const read = await readExport('stytch', [broken, hashes]);
    expect(read.users[0]?.losses).toEqual([{ what: 'password', reason: 'the file of hashes has none of this user' }]);
    expect(read.wrong).toMatchObject([{ number: 3, wrong: 'user_id is missing' }]);
  });

  it('refuses a file of something else', async () => {
    const other = file('other.csv', 'colour,size\nred,1\n');
    await expect(readExport('stytch', [users(), other])).rejects.toThrow(/other\.csv has the fields of no file/u);
  });
});
