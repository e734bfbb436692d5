/** A process that ends when the one that started it is gone, however that ended: `node --import with-parent.mjs?PID …`. */
// @ts-check
import { isMainThread } from 'node:worker_threads';

const LOOK_MS = 500;
const KILL_AFTER_MS = 5000;

/** Ends this process as `SIGTERM` does, once its parent is gone. @param {number} [parent] the id of the parent */
export function endWithParent(parent = process.ppid) {
  const looking = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref();
  }, LOOK_MS);
  looking.unref();
}

/** Windows keeps the id of a parent that is gone. @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

const named = Number(new URL(import.meta.url).search.slice(1));
// A worker thread has the options of its process, and so has a process that it forks, whose parent is another one.
const isForked = process.ppid !== named && isAlive(named);
if (named > 0 && isMainThread && !isForked) endWithParent(named);
