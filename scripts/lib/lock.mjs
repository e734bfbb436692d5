/**
 * One command at a time: a directory that only one process can make.
 *
 * - a second caller waits until the first is done;
 * - a lock whose owner no longer lives is taken over.
 */
// @ts-check
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 5000;

/** @template T @param {string} dir @param {() => Promise<T> | T} work @returns {Promise<T>} */
export async function withLock(dir, work) {
  mkdirSync(dirname(dir), { recursive: true });
  while (!take(dir)) {
    if (isOrphan(dir)) rmSync(dir, { recursive: true, force: true });
    else await sleep(100);
  }
  const release = () => rmSync(dir, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} dir */
function take(dir) {
  try {
    mkdirSync(dir);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(dir, 'pid'), String(process.pid));
  return true;
}

/** @param {string} dir */
function isOrphan(dir) {
  try {
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    return pid > 0 ? !isAlive(pid) : isOld(dir);
  } catch {
    return isOld(dir);
  }
}

/** Between mkdir and the pid's arrival a lock looks orphaned for a moment. @param {string} dir */
function isOld(dir) {
  try {
    return Date.now() - statSync(dir).mtimeMs > GRACE_MS;
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
