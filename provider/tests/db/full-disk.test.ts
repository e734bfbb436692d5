import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { openFailure, openStore } from '#provider/operation/store/open-store.ts';
import { UsageError } from '#provider/operation/options/options.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { mountSmallDisk } from '../kit/small-disk.ts';
import { soakDescribe, soakIt } from '#tests/soak-tests.ts';

const FOLDER = 'data';

/** Needs the right to mount a disk. */
const disk = mountSmallDisk(150);
afterAll(() => disk?.unmount());

describe.runIf(disk !== null)('an embedded database on a full disk', () => {
  const folder = join(disk?.path ?? '', FOLDER);
  const open = () => openDatabase({ kind: 'folder', path: folder });
  beforeAll(() => {
    mkdirSync(folder);
  });
  const hits = { window_start: new Date(), hits: 1, expires_at: new Date() };

  it('refuses to write until there is room, and reads meanwhile', async () => {
    const db = await open();
    const write = (bucket: string) =>
      db
        .insertInto('limit_windows')
        .values({ bucket, ...hits })
        .execute();
    const buckets = async () =>
      (await db.selectFrom('limit_windows').select('bucket').execute()).map(({ bucket }) => bucket);
    await write('before');
    disk?.fill(20_000_000);
    await expect.poll(() => write(`${Math.random()}`).then(() => '', String)).toContain('The disk is full.');
    const transaction = db.transaction().execute((tx) => tx.deleteFrom('limit_windows').execute());
    await expect(transaction).rejects.toThrow('The disk is full.');
    expect(await buckets()).toContain('before');
    disk?.empty();
    await expect.poll(() => write('after').then(() => '', String)).toBe('');
    expect(await buckets()).toContain('after');
    await db.destroy();
  });

  it('names the full disk, not damaged files, where it cannot be opened', async () => {
    const store = { kind: 'folder', path: folder } as const;
    const thrown = new Error('its files are damaged: restore a backup.');
    expect(String(openFailure(store, thrown))).toContain(thrown.message);
    disk?.fill(1_000_000);
    expect(openFailure(store, thrown)).toEqual(
      new UsageError(
        `Cannot open the data folder ${folder}: the disk at ${disk?.path} is full. Make room, and try again.`,
      ),
    );
    disk?.empty();
  });

  soakIt('ends in one sentence when its log meets the full disk, and loses nothing that it acknowledged', async () => {
    const script = join(ROOT, 'provider/tests/kit/fill-log.ts');
    const run = spawnSync(process.execPath, [join(ROOT, 'scripts/lib/jiti.mjs'), script, folder], {
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    expect(run.stderr).toBe(
      `The database in ${folder} has stopped, because the disk is full: make room, and start it again.\n`,
    );
    expect(run.status).toBe(1);
    rmSync(join(folder, 'filler'));
    const acknowledged = run.stdout.trim().split('\n').length;
    expect(acknowledged).toBeGreaterThan(5);
    const db = await open();
    const { rows } = await sql<{ count: number }>`select count(*) from acknowledged`.execute(db);
    expect(rows[0]?.count).toBeGreaterThanOrEqual(acknowledged);
    await db.destroy();
  });
});

soakDescribe('an embedded database with damaged files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-torn-'));
  const sound = join(folder, 'sound');
  beforeAll(async () => {
    await (await openStore({ kind: 'folder', path: sound }, { masterKey: null })).close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const torn: readonly (readonly [name: string, sentence: string, tear: (path: string) => void])[] = [
    ['PG_VERSION', 'files of the database are missing.', (path) => rmSync(path)],
    ['global/pg_control', 'its files are damaged: restore a backup.', (path) => truncateSync(path, 0)],
    ['pg_wal', 'its files are damaged: restore a backup.', (path) => rmSync(path, { recursive: true })],
    ['global/pg_filenode.map', 'its files are damaged: restore a backup.', (path) => writeFileSync(path, 'x')],
  ];

  it.each(torn)('is refused in one sentence, and stays as it is, without %s', async (name, sentence, tear) => {
    const copy = join(folder, name.replaceAll('/', '-'));
    cpSync(sound, copy, { recursive: true });
    tear(join(copy, 'db', name));
    const opening = openStore({ kind: 'folder', path: copy }, { masterKey: null });
    await expect(opening).rejects.toThrow(new RegExp(`^Cannot open the data folder ${copy}: ${sentence}$`, 'u'));
  });
});
