import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEmpty } from '#provider/base/db/folder.ts';
import { executed, migrate } from '#provider/base/db/migrate.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import { dump } from '#provider/operation/backup/dump.ts';
import { load } from '#provider/operation/backup/load.ts';
import { BackupError } from '#provider/operation/backup/format.ts';
import { optionsFrom, UsageError } from '#provider/operation/options/options.ts';
import { RestoreRoom } from '#provider/operation/store/restore-room.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import type { Fields } from '../kit/harness.ts';
import { ran } from '../kit/managing.ts';
import { mountSmallDisk } from '../kit/small-disk.ts';
import { request } from '../kit/server-process.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-backup-'));
const place = (name: string): string => join(folder, name);
const admin = (command: string, file: string, data: string) =>
  ran(['admin', command, place(file), '--data', place(data)], {});
const serve = (data: string): Promise<RunningServer> =>
  run(optionsFrom(['--dev', '--port', '0', '--data', place(data), '--log-level', 'silent'], {}));

const ODD = 'a "b" \\ (c), \n \u2028 \u2029 ü 🙂';

async function signIn(url: string, email: string): Promise<string> {
  const sent = await request(url, 'POST', '/sdk/v1/otps/email/login_or_create', { email });
  const [message] = (await request(url, 'GET', `/dev/inbox.json?to=${email}`)) as unknown as Fields[];
  const redeem = { token: message?.['code'], method_id: sent['data'].method_id, session_duration_minutes: 60 };
  return String((await request(url, 'POST', '/sdk/v1/otps/authenticate', redeem))['data'].session_token);
}

describe('a backup of a data folder', () => {
  let session: string;
  const me = (url: string) => request(url, 'GET', '/sdk/v1/users/me', undefined, session);

  beforeAll(async () => {
    const server = await serve('data');
    session = await signIn(server.url, 'kept@example.com');
    await request(server.url, 'PUT', '/sdk/v1/users/me', { untrusted_metadata: { odd: ODD } }, session);
    expect(await admin('backup', 'online.gz', 'data')).toMatch(
      /online\.gz contains \d\d+ rows and the key of the folder/u,
    );
    await server.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is private, is never overwritten, and leaves no draft', async () => {
    expect(statSync(place('online.gz')).mode & 0o777).toBe(0o600);
    await expect(admin('backup', 'online.gz', 'data')).rejects.toThrow(
      'online.gz exists already, and a backup is never',
    );
    expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(['data', 'online.gz']));
    expect(readdirSync(folder).join()).not.toContain('partial');
  });

  soakIt('is the same while a server runs and without one', async () => {
    expect(await admin('backup', 'offline.gz', 'data')).toContain('offline.gz contains ');
    const lines = (name: string) =>
      gunzipSync(readFileSync(place(name)))
        .toString()
        .split('\n')
        .slice(1, -2);
    expect(lines('online.gz').length).toBeGreaterThan(30);
    expect(lines('offline.gz')).toEqual(lines('online.gz'));
  });

  soakIt('is restored into a new folder, where sessions go on and new ones begin', async () => {
    mkdirSync(place('restored'));
    expect(await admin('restore', 'online.gz', 'restored')).toMatch(/restored contains the backup of \d{4}-/u);
    const server = await serve('restored');
    expect((await me(server.url))['data']).toMatchObject({
      emails: [{ email: 'kept@example.com' }],
      untrusted_metadata: { odd: ODD },
    });
    expect(await signIn(server.url, 'later@example.com')).not.toBe('');
    await server.stop();
    await expect(admin('restore', 'online.gz', 'restored')).rejects.toThrow('restored is not empty');
  });

  soakIt('of an earlier version is restored with the schema of that version', async () => {
    const added = [`create table notes (name text)`, `alter table users add column note text`];
    const later = { ...MIGRATIONS, '9001_notes': added };
    for (const name of ['earlier', 'later']) mkdirSync(place(name));
    const [from, to] = await Promise.all([makeEmpty(place('earlier')), makeEmpty(place('later'))]);
    await migrate(to, later);
    const lines: unknown[] = [];
    await dump(from, async (line) => void lines.push(line));
    await load(to, (async function* () { yield* lines; })(), later); // prettier-ignore
    expect(await executed(to)).toEqual(Object.keys(MIGRATIONS));
    expect(await migrate(to, later)).toEqual(['9001_notes']);
    await Promise.all([from.destroy(), to.destroy()]);
  });

  it('is refused when it is damaged, and nothing is left of the attempt', async () => {
    const whole = readFileSync(place('online.gz'));
    const text = gunzipSync(whole).toString();
    const users = text.split('\n').findIndex((line) => line.startsWith('{"table":"users"'));
    const edited = (edit: (lines: string[]) => void, signed = false): Buffer => {
      const lines = text.split('\n').slice(0, -2);
      edit(lines);
      const content = `${lines.join('\n')}\n`;
      const sha256 = signed ? createHash('sha256').update(content).digest('hex') : 'of another file';
      return gzipSync(`${content}${JSON.stringify({ sha256 })}\n`);
    };
    const activeToPending = (lines: string[]): void => {
      lines[users + 1] = (lines[users + 1] ?? '').replace('active', 'pending');
    };
    const damaged: Readonly<Record<string, readonly [Buffer, string]>> = {
      truncated: [whole.subarray(0, whole.length - 400), 'is damaged or incomplete.'],
      'not.a.backup': [Buffer.from('not a backup'), 'is damaged or incomplete.'],
      changed: [edited(activeToPending), 'is damaged or incomplete.'],
      shortened: [edited((lines) => lines.splice(users + 1, 1), true), 'is damaged or incomplete.'],
      other: [edited((lines) => lines.splice(0, 1, '{}'), true), 'is not a backup.'],
      ...(SOAK ? { forged: [edited(activeToPending, true), 'differs from the restored table users.'] } : {}),
    };
    expect(users).toBeGreaterThan(0);
    for (const [name, [content, sentence]] of Object.entries(damaged)) {
      writeFileSync(place(name), content);
      await expect(admin('restore', name, 'none'), name).rejects.toThrow(`${name} ${sentence}`);
      expect(existsSync(place('none')), name).toBe(false);
      rmSync(place(name));
    }
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('names its own file, not the data folder, where the disk of the file is full', async ({ skip }) => {
    const disk = mountSmallDisk(40);
    if (disk === null) return skip();
    try {
      disk.fill(0);
      const file = join(disk.path, 'full.gz');
      await expect(ran(['admin', 'backup', file, '--data', place('data')], {})).rejects.toThrow(
        `Cannot use ${file}: ENOSPC.`,
      );
    } finally {
      disk.unmount();
    }
  });

  it('is not begun on a disk that is certainly too small, and says what is missing', async ({ skip }) => {
    const disk = mountSmallDisk(8);
    if (disk === null) return skip();
    try {
      await expect(ran(['admin', 'restore', place('online.gz'), '--data', join(disk.path, 'a/b')], {})).rejects.toThrow(
        `online.gz: it needs at least 41 MB, and the disk at ${disk.path} has 8 MB free. 33 MB are missing.`,
      );
      expect(readdirSync(disk.path)).toEqual([]);
    } finally {
      disk.unmount();
    }
  });

  it('names the disk that became full while it was restored', ({ skip }) => {
    const disk = mountSmallDisk(60);
    if (disk === null) return skip();
    try {
      const room = new RestoreRoom(join(disk.path, 'a/b'), { rows: 10_000, length: 4_000_000 });
      room.check('new.gz');
      const thrown = new Error('could not extend file');
      expect(room.explain('new.gz', thrown)).toBe(thrown);
      disk.fill(1_000_000);
      expect(room.explain('new.gz', thrown)).toEqual(
        new UsageError(
          `Cannot restore new.gz: the disk at ${disk.path} is full. It had 60 MB free, and the restore needs up to 79 MB.`,
        ),
      );
      const damaged = new BackupError('is damaged or incomplete');
      expect(room.explain('new.gz', damaged)).toBe(damaged);
    } finally {
      disk.unmount();
    }
  });

  it('names what it cannot do', async () => {
    await expect(admin('restore', 'missing.gz', 'none')).rejects.toThrow(/missing\.gz: ENOENT\.$/u);
    await expect(admin('backup', 'new.gz', 'no-data')).rejects.toThrow(/keys\.json: ENOENT\.$/u);
    await expect(ran(['admin', 'backup'], {})).rejects.toThrow(
      /^Missing required argument 'FILE'\. .*admin backup FILE$/u,
    );
    await expect(ran(['admin', 'backup', 'x', '--database-url', 'postgres://a/b'], {})).rejects.toThrow(
      'admin backup is for a data folder; a PostgreSQL database has pg_dump and pg_restore.',
    );
  });
});
