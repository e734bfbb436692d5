import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { lockFolder, type FolderLock } from '#provider/base/db/engine/folder-lock.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { mayUnshare, OWN_PROCESSES } from '../kit/namespaces.ts';

/** Stands for the rhythm of servers: the claims of this file are touched, or not, while it lasts. */
const rhythm = { beatMs: 20, watchMs: 400 };
const root = mkdtempSync(join(tmpdir(), 'portico-lock-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder = '';
let count = 0;
const locks: FolderLock[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = join(root, String((count += 1)));
  mkdirSync(folder);
});
afterEach(() => {
  for (const lock of locks.splice(0)) lock.release();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function take(path = folder): Promise<FolderLock> {
  const lock = await lockFolder(path, { rhythm });
  locks.push(lock);
  return lock;
}

/** Starts a process that takes the folder; resolves with what it says. */
async function hold(...before: readonly string[]): Promise<{ readonly child: ChildProcess; readonly says: string }> {
  const words = [...before, process.execPath, join(ROOT, 'scripts/lib/jiti.mjs')];
  const [command, ...args] = [...words, join(ROOT, 'provider/tests/kit/folder-holder.ts'), folder];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, says: said.toString().trim() };
}

const inUse = (by: string): string => `The data folder ${folder} is in use by ${by}`;

describe('the lock of a data folder', () => {
  it('is refused while another has it, names that one, and leaves nothing behind', async () => {
    const lock = await take();
    await expect(take()).rejects.toThrow(inUse(`process ${process.pid} on ${hostname()}`));
    lock.release();
    (await take()).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes to one of many that begin together', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => take()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('holds in a folder whose path is longer than the address of a socket', async () => {
    folder = join(folder, 'x'.repeat(200));
    mkdirSync(folder);
    const lock = await take();
    expect(readdirSync(folder).filter((name) => name.endsWith('.socket'))).toHaveLength(
      process.platform === 'linux' ? 1 : 0,
    );
    await expect(take()).rejects.toThrow(inUse('process'));
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'holds while its process stands still, and ends with its process',
    async () => {
      const { child, says } = await hold();
      expect(says).toBe('held');
      child.kill('SIGSTOP');
      // Longer than others would look for a sign of life.
      await sleep(2 * rhythm.watchMs);
      await expect(take()).rejects.toThrow(inUse(`process ${child.pid}`));
      child.kill('SIGKILL');
      await once(child, 'exit');
      await take();
    },
  );

  it.runIf(mayUnshare())('holds between processes that do not see each other', async () => {
    const { child, says } = await hold(...OWN_PROCESSES);
    expect(says).toBe('held');
    expect((await hold(...OWN_PROCESSES, '--net')).says).toContain(inUse(`process 1 on ${hostname()}`));
    await expect(take()).rejects.toThrow(inUse('process 1'));
    child.kill('SIGKILL');
    await expect.poll(() => take().then(() => 'taken', String)).toBe('taken');
  });

  it('waits for a folder that another has, and says so once', async () => {
    const lock = await take();
    const sentences: string[] = [];
    const waiting = lockFolder(folder, { rhythm, onBusy: (sentence) => sentences.push(sentence) });
    await vi.waitFor(() => expect(sentences).toHaveLength(1));
    expect(sentences[0]).toBe(
      `The data folder ${folder} is in use by process ${process.pid} on ${hostname()}: this server starts when that one has stopped.`,
    );
    await sleep(300);
    lock.release();
    locks.push(await waiting);
    expect(sentences).toHaveLength(1);
  });
});

describe('a claim of another machine, or of a file system without sockets', () => {
  const name = 'lock-0123456789abcdef';
  const claim = (): string => join(folder, name);
  const write = (content: object | string): void =>
    writeFileSync(claim(), typeof content === 'string' ? content : JSON.stringify(content));
  const CONTENTS = [
    ['another machine', { kernel: 'another/1', socket: true, owner: 'process 1 on other' }],
    ['no socket', { kernel: '', socket: false, owner: 'process 1 on other' }],
    ['a claim that is half written', '{"kernel'],
  ] as const;

  it.each(CONTENTS)('is alive while somebody touches it: %s', async (_, content) => {
    write(content);
    const touching = setInterval(() => utimesSync(claim(), new Date(), new Date()), rhythm.watchMs / 4);
    await expect(take()).rejects.toThrow(inUse(typeof content === 'string' ? 'another process' : content.owner));
    clearInterval(touching);
    expect(existsSync(claim())).toBe(true);
  });

  it.each(CONTENTS)('is removed when nobody touches it: %s', async (_, content) => {
    write(content);
    await take();
    expect(existsSync(claim())).toBe(false);
  });

  it('ends a process that has lost the folder before it writes', async () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('ended');
    });
    const lock = await lockFolder(folder, { rhythm: { ...rhythm, beatMs: 3_600_000 } });
    locks.push(lock);
    const db = await openDatabase({ kind: 'folder', path: folder, lock });
    const hits = { bucket: 'a', window_start: new Date(), hits: 1, expires_at: new Date() };
    const insert = () => db.insertInto('limit_windows').values(hits).execute();
    await insert();
    for (const file of readdirSync(folder).filter((each) => /^lock-\w+$/u.test(each))) {
      renameSync(join(folder, file), join(root, file));
    }
    await expect(insert()).rejects.toThrow('ended');
    expect(exit).toHaveBeenCalledWith(1);
    exit.mockRestore();
    lock.release();
    await db.destroy();
  });

  it('refuses the lock of an earlier version, which says nothing about other containers', async () => {
    writeFileSync(join(folder, 'lock'), '4194304 1\n');
    await expect(take()).rejects.toThrow(
      `${join(folder, 'lock')} is the lock of an earlier version of the server. Stop that server, and delete the file if it is still there.`,
    );
  });
});

const memory = mountMemory();
afterAll(() => memory?.unmount());

describe.runIf(memory !== null)('a file system on which a dead socket proves nothing', () => {
  it('is locked by its socket and by a file that is touched, and freed when both are silent', async () => {
    folder = join(memory?.path ?? '', 'data');
    mkdirSync(folder);
    const { child, says } = await hold();
    expect(says).toBe('held');
    await expect(take()).rejects.toThrow(inUse(`process ${child.pid}`));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = performance.now();
    await take();
    expect(performance.now() - before).toBeGreaterThan(rhythm.watchMs);
  });
});

/** A file system of a kind that the lock does not know; null where this process may not mount one. */
function mountMemory(): { readonly path: string; unmount(): void } | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const path = join(root, 'memory');
  mkdirSync(path);
  if (spawnSync('mount', ['-t', 'ramfs', 'ramfs', path]).status !== 0) return null;
  return { path, unmount: () => void spawnSync('umount', [path]) };
}
