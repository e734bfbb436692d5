import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportFolder, lineOf, lossesOf, readExport } from './export-files.ts';
import { id } from './people/firebase.ts';

/** Written by the exporter of firebase-tools 15.34.2 for twenty accounts, with hashes of firebase/scrypt and firebase-scrypt. */
const CSV = join(import.meta.dirname, 'firebase.csv');
const JSON_FILE = join(import.meta.dirname, 'firebase.json');

const file = exportFolder();

describe('an export of Firebase', () => {
  it('is read from JSON, with all that it has', async () => {
    const read = await readExport('firebase', [JSON_FILE]);
    expect(read.wrong).toEqual([]);
    expect(read.users).toHaveLength(20);
    expect(lineOf(read, id(1))).toEqual({
      external_id: id(1),
      created_at: '2020-01-01T00:00:00.000Z',
      name: { first_name: 'Ada Lovelace' },
      emails: [{ email: 'ada@example.com', verified: true }],
      password: {
        hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
        salt: '42xEC+ixf3L2lw==',
        hash_type: 'scrypt_firebase',
      },
    });
    expect(lineOf(read, id(2))).toMatchObject({ emails: [{ verified: false }] });
    expect(lineOf(read, id(4))).toMatchObject({ phone_numbers: [{ phone_number: '+14155550104', verified: true }] });
    expect(lineOf(read, id(5))).toMatchObject({ social_accounts: [{ provider: 'google', subject: '108204268033311374519', email: 'alan@example.com' }] }); // prettier-ignore
    expect(lineOf(read, id(6))).toMatchObject({ trusted_metadata: { admin: true, note: 'says "hi", twice', path: 'C:\\' } }); // prettier-ignore
    expect(lineOf(read, id(7))).toMatchObject({ locked: true });
    expect(lineOf(read, id(9)), 'the number of a second factor').toMatchObject({ phone_numbers: [{ phone_number: '+14155550109', verified: true }] }); // prettier-ignore
    expect(lossesOf(read, id(10))).toEqual(['app']);
    expect(lossesOf(read, id(13)), 'Play Games').toEqual(['social account']);
    expect(lineOf(read, id(14))['social_accounts']).toEqual([
      { provider: 'github', subject: '583231', email: null },
      { provider: 'facebook', subject: '10158000000000000', email: null },
    ]);
    expect(lossesOf(read, id(18)), 'REDACTED').toEqual(['password']);
    expect(lineOf(read, id(18))['password']).toBeUndefined();
  });

  it('is read from CSV, which has no header and claims with single quotation marks, but no second factors', async () => {
    const [json, csv] = [await readExport('firebase', [JSON_FILE]), await readExport('firebase', [CSV])];
    expect(csv.wrong).toEqual([]);
    const differing = json.users.filter(({ line }, at) => {
      const { social_accounts: ofJson, ...others } = line;
      const { social_accounts: ofCsv, ...same } = csv.users[at]?.line ?? {};
      const texts = [ofJson, ofCsv].map((list) => JSON.stringify(Array.isArray(list) ? (list as object[]).map((each) => JSON.stringify(each)).sort() : [])); // prettier-ignore
      return texts[0] !== texts[1] || JSON.stringify(others) !== JSON.stringify(same);
    });
    expect(differing.map(({ line }) => line['external_id'])).toEqual([id(9)]);
  });

  it('is read from the CSV of older versions, and names a row that a comma has moved', async () => {
    const rows = readFileSync(CSV, 'utf8').split('\n');
    const old = rows.slice(0, 7).map((row) => row.replace(/,{25}$/u, ','));
    const moved = 'uid30,moved@example.com,true,,,Disk 5" by, me,,,,,,,,,,,,,,,,,,,1577836800000,,,,,';
    const read = await readExport('firebase', [file('old.csv', [...old, moved].join('\n'))]);
    expect(read.users.map(({ line }) => line['external_id'])).toEqual([1, 2, 3, 4, 5, 6, 7].map(id));
    expect(lineOf(read, id(6))).toMatchObject({ trusted_metadata: { admin: true, path: 'C:\\' } });
    expect(read.wrong).toMatchObject([{ number: 8 }]);
  });
});
