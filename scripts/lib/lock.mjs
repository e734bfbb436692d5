/**
 * Runs one command at a time: the lock is a file with the process id of its owner, which only one process can make.
 *
 * - a second caller waits until the first is done;
 * - a lock whose owner has ended is taken over.
 */
// @ts-check
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @template T @param {string} file @param {() => Promise<T> | T} work @returns {Promise<T>} */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) {
    if (!isAlive(file)) rmSync(file, { recursive: true, force: true });
    else await sleep(100);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** A link is created atomically with its content, so that no process sees a lock without an owner. @param {string} file */
function take(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own);
  }
}

/** @param {string} file */
function isAlive(file) {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')), 0);
  } catch (error) {
    return !['ESRCH', 'EISDIR'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
  }
}
