/**
 * Child processes that never outlive this one.
 *
 * Every child started here is remembered; `stopAll` ends what still runs, and SIGINT, SIGTERM and exit do the same.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const running = new Set();
const KILL_AFTER_MS = 5000;

/** Starts a child; stdio and the rest as for `spawn`. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * Runs a child to its end. With `live` its output appears at once, else it is only collected.
 * A command that cannot be started resolves with code 127 and the reason as output.
 *
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { live = false, ...options } = {}) {
  return new Promise((resolve) => {
    const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (stream) => (chunk) => {
      output += chunk;
      if (live) stream.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', collect(process.stdout));
    child.stderr.setEncoding('utf8').on('data', collect(process.stderr));
    child.once('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.once('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), output }));
  });
}

/** Runs a script of this repository or of an installed package with this Node. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** The path of an installed command's script. */
export const bin = (path) => join(ROOT, 'node_modules', path);

/** Asks a child to end, and insists after five seconds. */
export function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const insist = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.once('exit', () => {
      clearTimeout(insist);
      resolve();
    });
    child.kill(signal);
  });
}

export const stopAll = () => Promise.all([...running].map((child) => stop(child)));

/** Ends every child, then the process, when the user interrupts. `cleanUp` may stop what is no child. */
export function stopOnSignal(exitCode, cleanUp = async () => {}) {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void Promise.allSettled([stopAll(), cleanUp()]).then(() => process.exit(exitCode));
    });
  }
}

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
