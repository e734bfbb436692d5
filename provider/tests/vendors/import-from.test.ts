import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, WITHOUT_PKCE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { exportFolder } from './export-files.ts';
import { importCommand } from './import-command.ts';

/** Passwords of published vectors are known from breaches. */
const PROJECT = { ...DEMO_PROJECT, ...WITHOUT_PKCE, breach_detection: false };

/** Of the example data that FusionAuth published for its guide: the export of a project of Stytch, with the hashes that its support sent. */
const STYTCH_PASSWORD = 'averylongandunguessablepasswordwithlotsofrandominfooofisjoafasnr;,n';
const STYTCH_IDS = ['178d8ee5-c458-4f48-a482-8fefa30a1a87', 'c1be12e4-fc61-4e7a-8831-0fc14cb87b65', '799ea981-b2bb-417f-afe8-4ab6e79fcd2a'].map((id) => `user-test-${id}`); // prettier-ignore
const STYTCH_USERS = STYTCH_IDS.map((user_id, n) => ({
  user_id,
  status: 'active',
  created_at: '2024-01-11T09:54:59Z',
  emails: [{ email: `Stytch${n + 1}@example.com`, email_id: 'e', verified: n > 0 }],
  name: { first_name: 'A', last_name: 'Example', middle_name: '' },
  password: { password_id: 'p', requires_reset: false },
  phone_numbers: n === 0 ? [{ phone_id: 'p', phone_number: '+27222333444', verified: false }] : [],
  providers: [],
  totps: [],
}));
const STYTCH_HASHES = `scrypt hash parameters,,,,
scryptCostParameter,1 << 15,,,
scryptRParameter,8,,,
scryptPParameter,1,,,
scryptKeyLengthParamenter,32,,,
,,,,
id,hash,salt,hash_method,project_id
${STYTCH_IDS[0] ?? ''},uiOC_BwbKta9R9QL6Ss6KTDpCcULh9_zhObl5j4398M=,BbV-sGQqUIX1NwE6uqtSITv4fa1iMw==,scrypt,project-test-1
${STYTCH_IDS[2] ?? ''},A6VzdsTsTHPqafORIb0GkGD6qFxdncqwA15YXRsVgvs=,XPapDAm6xdV5UhMpyPrSpy8FbfCDtA==,scrypt,project-test-1
${STYTCH_IDS[1] ?? ''},8dg6AaIWPfcLTQU7lb4H-CI49dHeqaBXfFE1ogb2qRQ=,zKia-0BdIFKCzWbzXbj3qrhBnbiWNg==,scrypt,project-test-1`;

/** A bcrypt hash of @node-rs/bcrypt. */
const PASSWORD = 'violet tractor moon 88';
const HASH = '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.';
const auth0 = (n: number, more: Fields = {}): Fields => ({ user_id: `auth0|${n}`, email: `auth0-${n}@example.com`, email_verified: true, identities: [{ provider: 'auth0', user_id: String(n) }], ...more }); // prettier-ignore
const auth0Hash = (n: number): Fields => ({ _id: { $oid: String(n) }, passwordHash: HASH });
const lines = (records: readonly Fields[]): string => records.map((record) => JSON.stringify(record)).join('\n');

describe.each(EITHER_DATABASE)('users import --from, on %s', (_, url) => {
  const file = exportFolder();
  const provider = suiteProvider(url, { project: PROJECT });

  const command: ReturnType<typeof importCommand> = async (...args) => importCommand(provider)(...args);

  const enter = async (email: string, password: string): Promise<number> => {
    provider.clock.time += 60_000;
    return (await provider.post('/passwords/authenticate', { email, password, session_duration_minutes: 60 })).status;
  };
  const rowOf = (external_id: string) =>
    provider.services.db.selectFrom('users').selectAll().where('external_id', '=', external_id).executeTakeFirst();

  it('lets the users of Stytch log in with their passwords, under the ids that they had', async () => {
    const users = file('stytch.json', JSON.stringify(STYTCH_USERS));
    const hashes = file('stytch-hashes.csv', STYTCH_HASHES);
    const fields = { file: users, also: [hashes], from: 'stytch' };
    const dry = await command({ ...fields, try: 'stytch1@example.com', dry_run: true }, { password: `${STYTCH_PASSWORD}1` }); // prettier-ignore
    expect(dry).toEqual({
      lines: [
        'The password of stytch1@example.com is that of its line.',
        '2 users keep address and password.',
        '1 user keeps address, phone number and password; loses address (none is proven, so without a login within 30 days the user is removed like an abandoned sign-up).', // prettier-ignore
        '3 users are in order.',
      ],
      failed: false,
    });
    expect((await command(fields)).lines).toEqual(['3 imported, 0 were there already, 0 refused.']);
    for (const [n, id] of STYTCH_IDS.entries()) {
      if (n === 0) expect(await enter('stytch1@example.com', `${STYTCH_PASSWORD}2`)).toBe(401);
      expect(await enter(`stytch${n + 1}@example.com`, `${STYTCH_PASSWORD}${n + 1}`)).toBe(200);
      const row = await provider.services.db.selectFrom('users').select(['managed', 'vouched']).where('user_id', '=', id).executeTakeFirst(); // prettier-ignore
      expect(row, 'nobody vouches for an address that was not proven').toEqual({ managed: n > 0, vouched: n > 0 });
    }
  });

  it('imports the rest with --skip-wrong, and writes the others with their reasons', async () => {
    const people = [
      auth0(1),
      { email: 'nobody@example.com' },
      auth0(2, { email: 'Auth0-1@Example.com' }),
      auth0(3, { email: 'no address' }),
      auth0(4, { email: undefined }),
      auth0(5, { email: undefined, phone_number: '+14155550105', phone_verified: true }),
    ];
    const users = file('auth0.ndjson', `${lines(people)}\n{"user_id": "auth0|6\n${JSON.stringify(auth0(7))}`);
    const hashes = file('auth0-hashes.ndjson', lines([1, 2, 3, 5, 7].map(auth0Hash)));
    const fields = { file: hashes, also: [users], from: 'auth0' };
    const stop = await command(fields);
    expect(stop.failed).toBe(true);
    expect(stop.lines).toEqual([
      'record 5 of auth0.ndjson: the user has nothing to log in with.',
      'Nothing was imported. record 2 of auth0.ndjson (nobody@example.com): user_id is missing: choose that field in the export job', // prettier-ignore
      'record 3 of auth0.ndjson (Auth0-1@Example.com): email is that of record 1 of auth0.ndjson',
      expect.stringMatching(/^record 4 of auth0\.ndjson: emails\[0\]\.email must be acceptable/u),
      'record 7 of auth0.ndjson: it is not JSON',
    ]);
    const wrong = join(users, '..', 'wrong.jsonl');
    const rows = (): Fields[] => readFileSync(wrong, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Fields); // prettier-ignore
    const dry = await command({ ...fields, skip_wrong: wrong, dry_run: true }, { json: true });
    expect(dry.failed).toBe(false);
    expect(dry.lines.map((line) => JSON.parse(line) as Fields)).toEqual([
      { line: 5, place: 'record 5 of auth0.ndjson', lose: 'way in' },
      { users: 2, keep: ['address', 'password'], lose: [] },
      { users: 1, keep: [], lose: expect.arrayContaining([expect.objectContaining({ what: 'way in' })]) },
      { users: 1, keep: ['phone number'], lose: [expect.objectContaining({ what: 'password' })] },
      { lines: 4, wrong: 4 },
    ]);
    const before = rows();
    expect(before.map(({ place }) => place)).toEqual([2, 3, 4, 7].map((n) => `record ${n} of auth0.ndjson`));
    expect(before[1]).toMatchObject({ record: { user_id: 'auth0|2' }, reasons: [expect.stringContaining('record 1')] });
    expect(statSync(wrong).mode & 0o077, 'it may have hashes').toBe(0);
    expect(before.every(({ dry_run }) => dry_run === true)).toBe(true);
    const done = await command({ ...fields, skip_wrong: wrong });
    expect(done.lines.at(-1)).toBe(`4 imported, 0 were there already, 0 refused. 4 lines are wrong: see ${wrong}.`);
    expect(rows(), 'it replaces the list of the dry run').toMatchObject(
      before.map(({ place, record }) => ({ place, record })),
    );
    expect(readFileSync(wrong, 'utf8')).not.toContain('dry_run');
    const again = await command({ ...fields, skip_wrong: wrong });
    expect(again.lines[0], 'somebody may work through the list').toContain(`${wrong}, exists: name a new file.`);
    expect(rows()).toHaveLength(before.length);
    expect(await enter('auth0-1@example.com', PASSWORD)).toBe(200);
    expect(await enter('auth0-7@example.com', PASSWORD)).toBe(200);
    expect(await rowOf('auth0|2'), 'never a second account of one address').toBeUndefined();
    expect(await rowOf('auth0|5')).toBeDefined();
  });

  it('goes on where an interrupted import stopped, when the same command is given again', async () => {
    const people = Array.from({ length: 20 }, (__, n) => auth0(100 + n));
    const fields = { file: file('many.ndjson', lines(people)), from: 'auth0' };
    const stop = await command(fields, { stopAfter: 2 });
    expect(stop.lines.at(-1)).toMatch(/^Interrupted\. \d+ imported, .* give the same file again to go on\./u);
    expect(await rowOf('auth0|119')).toBeUndefined();
    const rest = await command(fields);
    expect(rest.lines.at(-1)).toMatch(/^\d+ imported, [1-9]\d* were there already, 0 refused\.$/u);
    expect(await rowOf('auth0|119')).toBeDefined();
    expect((await command(fields)).lines.at(-1)).toBe('0 imported, 20 were there already, 0 refused.');
  });

  it('skips wrong lines of its own format, too, and those that the data here refuse', async () => {
    const users = file('own.jsonl', lines([
      { external_id: 'own-1', emails: [{ email: 'own-1@example.com', verified: true }] },
      { external_id: 'own-2', emial: [] },
      { external_id: 'own-3', emails: [{ email: 'own-1@example.com' }] },
    ])); // prettier-ignore
    const wrong = join(users, '..', 'own-wrong.jsonl');
    expect((await command({ file: users, skip_wrong: wrong })).lines).toEqual([`1 imported, 0 were there already, 0 refused. 2 lines are wrong: see ${wrong}.`]); // prettier-ignore
    expect(readFileSync(wrong, 'utf8')).toContain('"place":"line 2"');
    const both = file('both.jsonl', lines([
      { external_id: 'own-1', emails: [{ email: 'auth0-1@example.com', verified: true }] },
      { external_id: 'own-4' },
    ])); // prettier-ignore
    rmSync(wrong);
    const { lines: output, failed } = await command({ file: both, skip_wrong: wrong });
    expect({ output, failed }).toEqual({ output: [`1 imported, 0 were there already, 1 refused. 1 line is wrong: see ${wrong}.`], failed: false }); // prettier-ignore
    expect(readFileSync(wrong, 'utf8')).toMatch(/^\{"place":"line 1","reasons":\["Its ids.*"record":\{"external_id":"own-1"/u); // prettier-ignore
    rmSync(wrong);
    expect((await command({ file: file('good.jsonl', lines([{ external_id: 'own-4' }])), skip_wrong: wrong })).failed).toBe(false); // prettier-ignore
    expect(existsSync(wrong), 'nothing was wrong').toBe(false);
  });

  it('keeps an id of any characters, and leaves out a number that it cannot take if there is another way', async () => {
    const odd = { localId: 'line:U123/4', email: 'line@example.com', emailVerified: true, phoneNumber: '+99912345' };
    const alone = { localId: 'x', phoneNumber: '+99912345' };
    const users = file('odd.json', JSON.stringify({ users: [odd, { localId: 'y'.repeat(128) }, alone] }));
    const wrong = join(users, '..', 'odd-wrong.jsonl');
    const fields = { file: users, from: 'firebase', skip_wrong: wrong };
    const { lines: output } = await command({ ...fields, dry_run: true });
    expect(output).toContain('1 user keeps address; loses phone number (it is not a number of any country).');
    rmSync(wrong);
    expect((await command(fields)).lines.at(-1)).toMatch(/^2 imported, .* 1 line is wrong/u);
    expect(await rowOf('base64url.bGluZTpVMTIzLzQ')).toBeDefined();
    expect(readFileSync(wrong, 'utf8')).toContain('phone_numbers[0].phone_number');
    rmSync(wrong);
    expect((await command(fields)).lines.at(-1)).toMatch(/^0 imported, 2 were there already/u);
  });

  it('writes over no other file, and names options that belong together', async () => {
    const users = file('safe.jsonl', lines([{ external_id: 'safe-1' }]));
    expect((await command({ file: users, skip_wrong: users })).lines[0]).toContain('is a file of the import');
    const other = file('notes.txt', 'notes');
    expect((await command({ file: users, skip_wrong: other })).lines[0]).toContain('exists: name a new file');
    expect(readFileSync(other, 'utf8')).toBe('notes');
    writeFileSync(other, '');
    expect((await command({ file: users, skip_wrong: other })).failed).toBe(false);
    expect((await command({ file: users, also: [other] })).lines[0]).toBe('--also needs --from, the product that made the file.'); // prettier-ignore
    expect((await command({ file: users, from: 'auth0', secret_env: 'PORTICO_TEST_NO_SUCH' })).lines[0]).toContain('PORTICO_TEST_NO_SUCH, is empty'); // prettier-ignore
  });
});
