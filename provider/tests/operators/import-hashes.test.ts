import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { importFile } from '#provider/operation/commands/import-file.ts';
import type { ActionRunner } from '#provider/operation/commands/operate.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import { importUsers } from '#provider/operation/operators/users/import-users.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { EITHER_DATABASE, WITHOUT_PKCE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import {
  BY_TEXT,
  BY_TYPE,
  FIREBASE,
  LONG,
  LONG_BCRYPT,
  NORMALISED_BETTER_AUTH,
  UNICODE,
} from '../passwords/vendor-hashes.ts';

const BY = { name: 'Grace', address: null, request_id: null };
/** Passwords of published vectors are known from breaches. */
const PROJECT = { ...DEMO_PROJECT, ...WITHOUT_PKCE, breach_detection: false };
const ALL = [...BY_TEXT, ...BY_TYPE].filter(({ described }) => SOAK || !/\$12\$|rounds=/u.test(described.hash));

const folder = mkdtempSync(join(tmpdir(), 'portico-hashes-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(EITHER_DATABASE)('an import of hashes as other products export them, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT });
  let count = 0;

  const imported = async (password: object): Promise<string> => {
    count += 1;
    const email = `moved-${count}@example.com`;
    const [result] = await importUsers(provider.services, [{ emails: [{ email, verified: true }], password }], BY);
    expect(result).toMatchObject({ result: 'imported' });
    return email;
  };
  const enter = async (email: string, password: string): Promise<Fields> => {
    // The limit of a network is one of a minute.
    provider.clock.time += 60_000;
    const reply = await provider.post('/passwords/authenticate', { email, password, session_duration_minutes: 60 });
    return { status: reply.status, type: reply.body['error_type'] as unknown };
  };
  const storedHash = async (email: string): Promise<string> => {
    const { hash } = await provider.services.db
      .selectFrom('passwords')
      .innerJoin('emails', 'emails.user_id', 'passwords.user_id')
      .select('passwords.hash')
      .where('emails.email', '=', email)
      .executeTakeFirstOrThrow();
    return hash;
  };
  const WRONG = { status: 401, type: 'unauthorized_credentials' };

  it.each(oneOf(7, ALL))('logs in with the password, and keeps a hash of its own after it: $name', async (vendor) => {
    const { password, described } = vendor;
    const email = await imported(described);
    const before = await storedHash(email);
    expect(before).toMatch(/^migrated:/u);
    expect(await enter(email, `${password}x`)).toEqual(WRONG);
    expect(await storedHash(email)).toBe(before);
    expect(await enter(email, password)).toMatchObject({ status: 200 });
    expect(await storedHash(email)).toMatch(/^\$argon2id\$/u);
    expect(await enter(email, password)).toMatchObject({ status: 200 });
    expect(await enter(email, `${password}x`)).toEqual(WRONG);
  });

  it('reads a credential of Keycloak that is an object of the line', async () => {
    const credential = {
      type: 'password',
      secretData: '{"value":"JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=","salt":"P5rtFkGtPfoaryJ6PizUJw=="}',
      credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}',
    };
    expect(await enter(await imported({ hash: credential }), 'password')).toMatchObject({ status: 200 });
  });

  it('keeps all of a long password after the first login, though bcrypt had read 72 bytes of it', async () => {
    const email = await imported({ hash: LONG_BCRYPT });
    expect(await enter(email, LONG)).toMatchObject({ status: 200 });
    expect(await enter(email, LONG.slice(0, 72))).toEqual(WRONG);
  });

  it('accepts the letters of better-auth in either spelling, and refuses a NUL by name', async () => {
    const email = await imported({ hash: NORMALISED_BETTER_AUTH });
    expect(await enter(email, `${UNICODE}\0`)).toMatchObject({ status: 400 });
    expect(await enter(email, UNICODE)).toMatchObject({ status: 200 });
    expect(await enter(email, UNICODE.normalize('NFD'))).toMatchObject({ status: 200 });
  });

  it('compares a wrong password no more often than the limit allows', async () => {
    const email = await imported({ hash: LONG_BCRYPT });
    const { failuresPerUser } = provider.services.limits;
    const tries = Array.from({ length: failuresPerUser.max }, (__, n) => `wrong ${n}`);
    const post = (password: string) =>
      provider.post('/passwords/authenticate', { email, password, session_duration_minutes: 60 });
    for (const password of tries) expect((await post(password)).status).toBe(401);
    expect((await post(LONG)).body).toMatchObject({ status_code: 429, error_type: 'user_lock_limit_reached' });
    expect(await storedHash(email)).toMatch(/^migrated:/u);
  });

  /** What the command says, with this password on its input. */
  const command = async (lines: readonly object[], fields: Fields, password = ''): Promise<string> => {
    const runner: ActionRunner = {
      project: PROJECT,
      mostBytes: 48_000,
      close: () => Promise.resolve(),
      run: async (name, sent) => ({ ...(await perform(provider.services, name, sent)) }),
    };
    const file = join(folder, 'users.jsonl');
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const messages: string[] = [];
    const signal = new AbortController().signal;
    const options = { fields: { file, ...fields }, json: false };
    const ask = (): Promise<string> => Promise.resolve(password);
    const end = await importFile(runner, options, (text) => void messages.push(text), signal, ask).catch(
      (error: unknown) => {
        if (error instanceof Error) return error.message;
        throw error;
      },
    );
    return [...messages, end].join('\n');
  };
  const users = async (): Promise<number> => (await provider.services.db.selectFrom('users').select('user_id').execute()).length; // prettier-ignore
  const line = (email: string, password: object): object => ({ emails: [{ email, verified: true }], password });
  const firebase = (email: string): object =>
    line(email, {
      hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      salt: '42xEC+ixf3L2lw==',
    });
  const config = (name: string, key = FIREBASE.base64_signer_key): string => {
    const path = join(folder, name);
    writeFileSync(path, `hash_config {\n  algorithm: SCRYPT,\n  base64_signer_key: ${key},\n  base64_salt_separator: Bw==,\n  rounds: 8,\n  mem_cost: 14,\n}\n`); // prettier-ignore
    return path;
  };

  it('takes the parameters of a Firebase project as its console shows them', async () => {
    const lines = [firebase('fire@example.com'), line('other@example.com', { hash: LONG_BCRYPT })];
    expect(await command(lines, { firebase_config: config('hash.txt') })).toMatch(/^2 imported/u);
    expect(await enter('fire@example.com', 'user1password')).toMatchObject({ status: 200 });
    expect(await enter('other@example.com', LONG)).toMatchObject({ status: 200 });
    const without = await command([firebase('without@example.com')], {});
    expect(without).toMatch(
      /^Nothing was imported\. line 1 \(without@example\.com\): password\.firebase_config is missing: .*console of Firebase/u,
    );
    const broken = await command([firebase('without@example.com')], { firebase_config: config('broken.txt', 'n?t') });
    expect(broken).toMatch(/^Nothing was imported\. .*broken\.txt: firebase_config\.base64_signer_key must be base64/u);
    expect(await command([], { firebase_config: join(folder, 'nowhere.txt') })).toContain('ENOENT');
  });

  it('uses the type of the option for hashes whose text does not show theirs', async () => {
    const lines = [
      line('bare@example.com', { hash: '88a434c88cca4e900f7874cd98123f43' }),
      line('plain@example.com', { hash: LONG_BCRYPT }),
    ];
    expect(await command(lines, {})).toBe('Nothing was imported. line 1 (bare@example.com): password.hash_type is missing: by its text the hash may be md_5'); // prettier-ignore
    expect(await command(lines, { hash_type: 'md_5' })).toMatch(/^2 imported/u);
    expect(await enter('bare@example.com', 'l\u00e8tmein')).toMatchObject({ status: 200 });
    expect(await enter('plain@example.com', LONG)).toMatchObject({ status: 200 });
  });

  it('tries a known password before anything is written, which a wrong key of the project does not pass', async () => {
    const before = await users();
    const key = Buffer.alloc(64, 7).toString('base64');
    const lines = [line('first@example.com', { hash: LONG_BCRYPT }), firebase('Tried@example.com')];
    const fields = { try: 'tried@example.com', firebase_config: config('wrong.txt', key) };
    // A wrong key has the right form.
    expect(await command(lines, { ...fields, try: undefined, dry_run: true })).toBe('2 lines are in order.');
    const refusal = await command(lines, fields, 'user1password');
    expect(refusal).toMatch(/^Nothing was imported\. line 2: password\.hash is not that of the entered password\. .*--firebase-config/u); // prettier-ignore
    expect(refusal).not.toContain('user1password');
    const right = { ...fields, firebase_config: config('right.txt') };
    expect(await command(lines, right, 'user2password')).toMatch(/^Nothing was imported\. line 2: /u);
    expect(await command(lines, right, 'user1password\0')).toContain('without NUL');
    expect(await command(lines, right, 'x'.repeat(5_000))).toMatch(/^Nothing was imported\. line 2: /u);
    expect(await command(lines, { ...right, try: 'nobody@example.com' })).toContain('No line has the address of --try');
    expect(await command([line('none@example.com', {}), firebase('b@example.com')], { ...right, try: 'none@example.com' })).toMatch(/line 1 \(none@example\.com\): /u); // prettier-ignore
    expect(await users()).toBe(before);
    expect(await command(lines, { ...right, dry_run: true }, 'user1password')).toBe('The password of tried@example.com is that of its line.\n2 lines are in order.'); // prettier-ignore
    expect(await users()).toBe(before);
    expect(await command(lines, right, 'user1password')).toContain('2 imported');
    expect(await enter('tried@example.com', 'user1password')).toMatchObject({ status: 200 });
  });

  it('names the line and the field of each broken hash, and imports nothing', async () => {
    const before = await users();
    const messages = await command(
      [
        line('a@example.com', { hash: LONG_BCRYPT }),
        line('b@example.com', { hash: '{SSHA}tooshort' }),
        line('c@example.com', { hash: '$pbkdf2-sha256$9999999999$c2FsdA$c2FsdA' }),
        line('d@example.com', { hash: '', hash_type: 'bcrypt' }),
        line('e@example.com', { hash: '$2b$31$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.' }),
      ],
      {},
    );
    expect(messages.split('\n').map((each) => /line \d \(.@example\.com\): password\.\w+/u.exec(each)?.[0])).toEqual(['2 (b', '3 (c', '4 (d', '5 (e'].map((line) => `line ${line}@example.com): password.hash`)); // prettier-ignore
    expect(await users()).toBe(before);
  });
});
