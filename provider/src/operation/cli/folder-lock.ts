import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './options.ts';

/**
 * Locks the data folder for this process, because two processes that write to it would destroy it. The lock of a dead process is
 * taken over.
 *
 * @returns a function that releases the lock
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (create(folder, path, mine)) return () => release(path, mine);
    const theirs = read(path);
    const pid = Number.parseInt(theirs, 10);
    if (isAlive(pid, theirs)) {
      throw new UsageError(
        `The data folder ${folder} is in use by process ${pid}; stop it, or name another with --data.`,
      );
    }
    discard(path, theirs);
  }
  throw new UsageError(`The data folder ${folder} is being opened by another process.`);
}

function create(folder: string, path: string, content: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new UsageError(`Cannot write to the data folder ${folder}: ${code}.`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the process of a lock is running. Compares its start time too, because a process id can be reused, as in containers. */
function isAlive(pid: number, content: string): boolean {
  if (!(pid > 0) || (pid === process.pid && content !== '')) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ESRCH') return false;
  }
  const recorded = content.trim().split(' ')[1] ?? '';
  return recorded === '' || recorded === startOf(pid);
}

/** The start time of the process in clock ticks since boot, on Linux; else an empty text. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Removes a dead lock: renames it first, and puts it back if it is the new lock of another process. */
function discard(path: string, dead: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== dead) {
      renameSync(aside, path);
      return;
    }
  } catch {
    // Another process renamed it first.
  }
  rmSync(aside, { force: true });
}

function release(path: string, mine: string): void {
  if (read(path) === mine) rmSync(path, { force: true });
}
