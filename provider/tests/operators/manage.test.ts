import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAdminFile } from '#provider/operation/store/admin-file.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import { EITHER_DATABASE, basic, freshStore, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { managed, managedJson } from '../kit/managing.ts';
import { RawSmtpServer } from '../kit/raw-smtp-server.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'violet tractor moon 88';
const HOSTILE = '<img src=x onerror=alert(1)>';

describe.each(EITHER_DATABASE)('the commands of operators, on %s', (_, database) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-manage-'));
  let at: readonly string[] = [];
  let server: RunningServer;
  let mailbox: RawSmtpServer;
  let drop: () => Promise<void>;
  const file = (name: string, lines: readonly (object | string)[]): string => {
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return path;
  };
  const text = async (...args: readonly string[]) => managed(at, ...args);
  const json = async (...args: readonly string[]) => managedJson(at, ...args);

  beforeAll(async () => {
    const fresh = await freshStore(database);
    drop = fresh.drop;
    at = fresh.store.kind === 'postgres' ? ['--database-url', fresh.store.url] : ['--data', join(folder, 'data')];
    mailbox = await RawSmtpServer.start();
    const mail = ['--smtp-url', `smtp://127.0.0.1:${mailbox.port}`, '--mail-from', 'login@acme.example'];
    server = await run(optionsFrom(['--dev', '--port', '0', '--operators-port', '0', ...mail, ...at]));
  });
  afterAll(async () => {
    await server.stop();
    await mailbox.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function post(path: string, body: object): Promise<Fields> {
    const reply = await fetch(`${server.url}/sdk/v1${path}`, {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: reply.status, ...((await reply.json()) as Fields) };
  }
  const logIn = async (email: string, password: string) =>
    post('/passwords/authenticate', { email, password, session_duration_minutes: 60 });
  const ada = {
    external_id: 'crm-1',
    created_at: '2020-02-02T02:02:02.000Z',
    // Some terminals obey U+009B, and some programs end a line at U+2028.
    name: { first_name: HOSTILE, last_name: '\u009B31mred\u2028two' },
    emails: [{ email: 'Ada@example.com', verified: true }],
    phone_numbers: [{ phone_number: '+14155550123', verified: true }],
    trusted_metadata: { plan: 'gold' },
    roles: ['editor'],
    password: { hash_type: 'bcrypt', hash: '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.' },
  };

  it('check a whole file before anything is imported, and name the lines', async () => {
    const path = file('wrong.jsonl', [
      ada,
      'not json',
      { emails: [{ email: 'nobody' }] },
      { emails: [], external_id: 'crm-1' },
      { emails: [{ email: 'x@example.com' }], secret: 'hunter2' },
      { emails: [{ email: 'y@example.com' }], password: { hash_type: 'rot13', hash: 'hunter2' } },
      { emails: [{ email: 'z@example.com' }], roles: ['king'] },
      { external_id: 'crm-4', emails: [{ email: 'ada@EXAMPLE.com' }] },
    ]);
    const error = (await text('users', 'import', path).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message.split('\n')).toEqual([
      'Nothing was imported. line 2: it must be a JSON object',
      expect.stringMatching(/^line 3: emails\[0\]\.email must be/u),
      'line 4: external_id is that of line 1',
      expect.stringMatching(/^line 5 \(x@example\.com\): secret must be left out/u),
      expect.stringMatching(/^line 6 \(y@example\.com\): password\.hash_type must be/u),
      expect.stringMatching(/^line 7 \(z@example\.com\): roles must be/u),
      expect.stringMatching(/^line 8 \(ada@EXAMPLE\.com\): .*email is that of line 1/u),
    ]);
    expect(error.message).not.toContain('hunter2');
    expect(await json('users', 'list')).toEqual([]);
  });

  soakIt('import no other file than one of text in UTF-8', async () => {
    const latin = join(folder, 'latin.jsonl');
    writeFileSync(latin, JSON.stringify({ ...ada, name: { first_name: 'Zo\u00EB' } }), 'latin1');
    await expect(text('users', 'import', latin)).rejects.toThrow('latin.jsonl: it is not text in UTF-8.');
    // All lines of a pipe are read before the first user is made.
    await expect(text('users', 'import', '/dev/null')).rejects.toThrow('is not a file');
    await expect(text('users', 'import', 'nowhere.jsonl')).rejects.toThrow('ENOENT');
    expect(await json('users', 'list')).toEqual([]);
  });

  soakIt('import each user once, however often the file is given, and their passwords log in', async () => {
    const good = file('good.jsonl', [
      ada,
      { emails: [{ email: 'bob@example.com' }], locked: true, password: ada.password },
      { external_id: 'crm-3' },
    ]);
    const locked = '1 user is locked, and cannot log in until an operator unlocks them.';
    expect(await text('users', 'import', good, '--dry-run')).toBe(`${locked}\n3 lines are in order.`);
    expect(await text('users', 'import', good)).toBe(`${locked}\n3 imported, 0 were there already, 0 refused.`);
    expect(await text('users', 'import', good)).toBe(`${locked}\n0 imported, 3 were there already, 0 refused.`);
    const [shown] = await json('users', 'show', 'ada@example.com');
    expect(shown).toMatchObject({
      external_id: 'crm-1',
      created_at: ada.created_at,
      roles: ['editor'],
      emails: [{ email: 'Ada@example.com', verified: true }],
      is_locked: false,
    });
    expect((await logIn('ada@example.com', PASSWORD))['status']).toBe(200);
    expect(await logIn('bob@example.com', PASSWORD)).toMatchObject({ status: 403, error_type: 'user_locked' });
    const both = file('both.jsonl', [{ external_id: 'crm-3', emails: [{ email: 'ada@example.com' }] }]);
    await expect(text('users', 'import', both)).rejects.toThrow('0 imported, 0 were there already, 1 refused.');
  });

  soakIt('import an address with which a stranger signed up, whose session ends', async () => {
    const email = 'carol@example.com';
    const signUp = { email, password: PASSWORD, session_duration_minutes: 60 };
    const token = String((await post('/passwords', signUp))['data']['session_token']);
    const path = file('carol.jsonl', [{ external_id: 'crm-carol', emails: [{ email, verified: true }] }]);
    expect(await text('users', 'import', path)).toBe('1 imported, 0 were there already, 0 refused.');
    const check = await fetch(`${server.url}/sdk/v1/users/me`, {
      headers: { authorization: basic(PUBLIC_TOKEN, token) },
    });
    expect(check.status).toBe(401);
    expect(await json('users', 'show', email)).toMatchObject([
      { external_id: 'crm-carol', emails: [{ verified: true }] },
    ]);
    await text('users', 'delete', email, '--yes');
  });

  it('imports the files of another product’s export, and leaves out what is wrong', async () => {
    const attributes = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([Name, Value]) => ({ Name, Value })); // prettier-ignore
    const user = (sub: string, email: string) => ({ Username: sub, Attributes: attributes({ sub, email, email_verified: 'true' }), Enabled: true, UserStatus: 'CONFIRMED' }); // prettier-ignore
    const first = file('pool-1.json', [
      { Users: [user('sub-1', 'pool@example.com'), user('sub-2', 'POOL@example.com')] },
    ]);
    const second = file('pool-2.json', [{ Users: [user('sub-3', 'pool-3@example.com')] }]);
    const wrong = (run: number): string => join(folder, `pool-wrong-${run}.jsonl`);
    const from = (run: number): string[] => ['--from', 'cognito', '--also', second, '--skip-wrong', wrong(run)];
    expect(await text('users', 'import', first, ...from(1), '--dry-run')).toBe(
      `2 users keep address; lose password (Cognito exports no hashes).\n2 users are in order. 1 line is wrong: see ${wrong(1)}.`,
    );
    expect(await text('users', 'import', first, ...from(2))).toMatch(/^2 imported, .* 1 line is wrong/u);
    expect(await text('users', 'import', first, ...from(3))).toMatch(/^0 imported, 2 were there already/u);
    expect(await json('users', 'show', 'sub-3')).toMatchObject([{ emails: [{ email: 'pool-3@example.com', verified: true }] }]); // prettier-ignore
    await expect(text('users', 'import', first, '--from', 'nobody')).rejects.toThrow(/stytch.*cognito/u);
    await expect(text('users', 'import', 'nowhere.json', '--from', 'cognito')).rejects.toThrow('ENOENT');
    // The cases after this one count the users.
    for (const sub of ['sub-1', 'sub-3']) await text('users', 'delete', sub, '--yes');
  });

  soakIt('lock a user out of every login, however close it is, and let them in again', async () => {
    const before = await logIn('ada@example.com', PASSWORD);
    const token = String(before['data']['session_token']);
    await expect(text('users', 'lock', 'ada@example.com')).rejects.toThrow('Give --yes');
    const [, ...racing] = await Promise.all([
      text('users', 'lock', 'ada@example.com', '--yes'),
      ...Array.from({ length: 4 }, () => logIn('ada@example.com', PASSWORD)),
    ]);
    for (const { status } of racing) expect([200, 403]).toContain(status);
    // Whoever was quicker than the lock has lost the session again.
    expect(await json('sessions', 'list', 'ada@example.com')).toEqual([]);
    const check = await fetch(`${server.url}/sdk/v1/sessions/authenticate`, {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, token), 'content-type': 'application/json' },
      body: '{}',
    });
    expect(check.status).toBe(401);
    expect(await json('users', 'list', '--locked')).toHaveLength(2);
    expect(await logIn('ada@example.com', PASSWORD)).toMatchObject({ error_type: 'user_locked' });
    expect(await text('users', 'unlock', 'ada@example.com')).toMatch(/may log in\.$/u);
    expect((await logIn('ada@example.com', PASSWORD))['status']).toBe(200);
    const log = await json('audit', 'list', '--user', 'ada@example.com', '--outcome', 'refused');
    expect(log.at(-1)).toMatchObject({ event: 'login', details: { error_type: 'user_locked' } });
  });

  soakIt('list in pages, search, and show what terminals must not obey as it is', async () => {
    const [first, { next }] = (await json('users', 'list', '--limit', '1')) as [Fields, Fields];
    const people = [first, ...(await json('users', 'list', '--after', String(next)))];
    // One import made them in the same instant.
    expect(people.map(({ external_id }) => String(external_id)).sort()).toEqual(['crm-1', 'crm-3', 'null']);
    const one = people.find(({ external_id }) => external_id === 'crm-1');
    for (const word of ['ADA@exam', '415555', 'onerror', 'crm-1']) {
      expect((await json('users', 'search', word)).map(({ user_id }) => user_id)).toEqual([one?.['user_id']]);
    }
    expect(await json('users', 'search', '%')).toEqual([]);
    await expect(text('users', 'list', '--after', 'x')).rejects.toThrow('after must be');
    await expect(text('users', 'list', '--limit', '0')).rejects.toThrow('limit must be');
    await expect(text('users', 'show', 'nobody')).rejects.toThrow('There is no such user.');
    await expect(text('users', 'burn')).rejects.toThrow(/^Unknown command 'burn'\. Use one of: users list, /u);
    await expect(text('users', 'show')).rejects.toThrow(
      "Missing required argument 'USER'. Usage: portico-provider users show USER",
    );
  });

  soakIt('export a person without secrets, and all users in a form that import accepts', async () => {
    const [person] = await json('users', 'export', '--user', 'ada@example.com');
    expect(person?.['name']).toMatchObject(ada.name);
    for (const command of oneOf(3, ['show ada@example.com', 'export --user ada@example.com', 'export --all']))
      expect(await text('users', ...command.split(' '))).not.toMatch(/[\u0080-\u009F\u2028]/u);
    expect(person?.['belongings'].sessions.length).toBeGreaterThan(0);
    expect(person).not.toHaveProperty('password');
    expect(JSON.stringify(person)).not.toMatch(/_hash"|"hash"|"secret"|"code"/u);
    const eve = 'stranger@example.com';
    await post('/otps/email/login_or_create', { email: eve });
    const lines = (await text('users', 'export', '--all', '--with-hashes')).split('\n');
    expect(lines).toHaveLength(4);
    for (const word of ['crm-1', 'bob@example.com', 'crm-3', eve]) await text('users', 'delete', word, '--yes');
    expect(await json('users', 'list')).toEqual([]);
    expect(await text('users', 'import', file('back.jsonl', lines))).toMatch(/^4 imported/mu);
    expect((await text('users', 'export', '--all', '--with-hashes')).split('\n').sort()).toEqual([...lines].sort());
    // What a stranger began, in the name of whoever has the address, still gives way to the owner's account.
    const owner = file('owner.jsonl', [{ external_id: 'crm-9', emails: [{ email: eve, verified: true }] }]);
    expect(await text('users', 'import', owner)).toMatch(/^1 imported/mu);
    await text('users', 'delete', 'crm-9', '--yes');
    expect((await logIn('ada@example.com', PASSWORD))['status']).toBe(200);
    const deleted = await json('audit', 'list', '--event', 'user_deleted');
    expect(deleted).toHaveLength(8);
    await expect(text('audit', 'list', '--event', 'user_delete')).rejects.toThrow('did you mean user_deleted?');
    expect(deleted[0]?.['actor']).toMatch(/^operator ./u);
  });

  soakIt('end sessions, and manage clients, keys and messages', async () => {
    expect(await text('sessions', 'revoke', '--user', 'ada@example.com', '--yes')).toBe('1 ended.');
    const [made] = await json('clients', 'create', '--name', HOSTILE, '--redirect-url', 'https://app.example.com/cb');
    const { client_id, client_secret } = made as Fields;
    expect(client_secret).toMatch(/.{40}/u);
    const [, two, { next }] = (await json('clients', 'list', '--limit', '2')) as [Fields, Fields, Fields];
    expect(two['client_id']).toBe(next);
    expect((await json('clients', 'list', '--after', String(next))).length).toBeGreaterThan(0);
    expect(await json('clients', 'list', '--limit', '1000')).toContainEqual(
      expect.objectContaining({ client_id, name: HOSTILE }),
    );
    expect((await json('clients', 'rotate', client_id))[0]).toHaveProperty('client_secret');
    expect(await text('clients', 'rotate', client_id, '--finish')).toMatch(/finished\.$/u);
    expect(await text('clients', 'delete', client_id, '--yes')).toMatch(/deleted\.$/u);
    const [{ kid: rotated }] = (await json('keys', 'rotate', '--purpose', 'sessions')) as [Fields];
    expect(await json('keys', 'list')).toContainEqual(expect.objectContaining({ kid: rotated, purpose: 'sessions' }));
    await post('/otps/email/login_or_create', { email: 'bob@example.com' });
    const listed = async () => (await json('outbox', 'list', '--user', 'bob@example.com'))[0];
    await expect.poll(async () => (await listed())?.['state']).toBe('sent');
    const message = await listed();
    expect(message).toMatchObject({ channel: 'email', recipient: 'bob@example.com' });
    for (const secret of ['code', 'text', 'link', 'subject']) expect(message).not.toHaveProperty(secret);
    expect(await json('outbox', 'show', String(message?.['id']))).toEqual([message]);
    await expect(text('outbox', 'retry', '--id', String(message?.['id']))).rejects.toThrow('No dead message');
    await expect(text('outbox', 'purge', '--state', 'waiting', '--yes')).rejects.toThrow('state must be sent');
    expect(await text('outbox', 'purge', '--state', 'expired', '--yes')).toBe('0 deleted.');
    await expect(text('audit', 'list', '--address', '203.0.113')).rejects.toThrow('address must be an IP address');
    expect(await text('audit', 'list', '--limit', '2')).toMatch(/^created_at +event .*\nmore: --after \d+$/su);
  });

  it('find the operators’ page and the emails with the settings that a developer switched', async () => {
    const { origin, href } = new URL(String(server.operatorsUrl));
    const [invited] = await json('operators', 'invite', 'Grace', '--origin', origin);
    const token = new URL(String(invited?.['link'])).hash.slice(1);
    const nameOfPasskeys = async () => {
      const reply = await fetch(`${href}/enrol/start`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ token }),
      });
      return ((await reply.json()) as Fields)['options']?.rp?.name;
    };
    const settings = async (given: object) =>
      fetch(`${server.url}/dev/control/settings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ settings: given }),
      });
    await settings({ name: 'Switched' });
    expect(await nameOfPasskeys()).toBe('Switched (operators)');
    await post('/otps/email/login_or_create', { email: 'bob@example.com' });
    await expect.poll(() => mailbox.mails.at(-1)?.source).toContain('From: Switched <login@acme.example>');
    await settings({ name: null });
    expect(await nameOfPasskeys()).not.toContain('Switched');
  });

  soakIt('need no server', async () => {
    await server.stop();
    const folderOf = at[1] ?? '';
    expect(at[0] === '--data' ? readAdminFile(folderOf) : null).toBeNull();
    expect(await json('users', 'list')).toHaveLength(3);
    expect(await text('users', 'list')).toMatch(/ {2}active {2}2020-02-02T02:02:02\.000Z {2}/u);
    expect(await text('users', 'lock', 'crm-3', '--yes')).toMatch(/is locked\.$/u);
  });
});
