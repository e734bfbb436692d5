import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './options.ts';

/**
 * Holds the data folder for this process: two that write to one would destroy it. The lock of a process that died is
 * taken over.
 *
 * @returns releases the lock
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (create(path, mine)) return () => release(path, mine);
    const theirs = read(path);
    const pid = Number.parseInt(theirs, 10);
    if (isAlive(pid, theirs)) {
      throw new UsageError(
        `The data folder ${folder} is in use by process ${pid}; stop it, or name another with --data.`,
      );
    }
    discard(path, theirs);
  }
  throw new UsageError(`The data folder ${folder} is being taken by another process.`);
}

function create(path: string, content: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A number may have been given to a new process since (always the same one in a container): compare the start too. */
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

/** When the process started, in clock ticks since boot, on Linux; else nothing. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Moves a dead lock away under a name of our own; if it turns out to be someone's new one, puts it back. */
function discard(path: string, dead: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== dead) {
      renameSync(aside, path);
      return;
    }
  } catch {
    // Someone else moved it first.
  }
  rmSync(aside, { force: true });
}

function release(path: string, mine: string): void {
  if (read(path) === mine) rmSync(path, { force: true });
}
