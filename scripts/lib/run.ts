/**
 * Child processes that never outlive this one.
 *
 * Every child started here is remembered; `stopAll` ends what still runs, and SIGINT, SIGTERM and exit do the same.
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const running = new Set<ChildProcess>();
const KILL_AFTER_MS = 5000;

/** Starts a child; stdio and the rest as for `spawn`. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

interface RunOptions extends SpawnOptions {
  readonly live?: boolean;
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/**
 * Runs a child to its end. With `live` its output appears at once, else it is only collected.
 * A command that cannot be started resolves with code 127 and the reason as output.
 */
export async function run(
  command: string,
  args: readonly string[],
  { live = false, ...options }: RunOptions = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (stream: NodeJS.WriteStream) => (chunk: string) => {
      output += chunk;
      if (live) stream.write(chunk);
    };
    child.stdout?.setEncoding('utf8').on('data', collect(process.stdout));
    child.stderr?.setEncoding('utf8').on('data', collect(process.stderr));
    child.once('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.once('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), output }));
  });
}

/** Runs a script of this repository or of an installed package with this Node. */
export const runNode = async (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  run(process.execPath, args, options);

/** The path of an installed command's script. */
export const bin = (path: string): string => join(ROOT, 'node_modules', path);

/** Asks a child to end, and insists after five seconds. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  return new Promise((resolve) => {
    const insist = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.once('exit', () => {
      clearTimeout(insist);
      resolve();
    });
    child.kill(signal);
  });
}

export const stopAll = async (): Promise<unknown> => Promise.all([...running].map(async (child) => stop(child)));

/** Ends every child, then the process, when the user interrupts. `cleanUp` may stop what is no child. */
export function stopOnSignal(exitCode: number, cleanUp: () => Promise<unknown> = async () => {}): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
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
