/**
 * Child processes that never outlive this one.
 *
 * Every child started here is recorded. `stopAll` ends those that still run, as do SIGINT, SIGTERM and exit. Programs of Node also end by
 * themselves when this process is killed.
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './root.mjs';

const running = new Set<ChildProcess>();
const KILL_AFTER_MS = 5000;
const WITH_PARENT = `${new URL('with-parent.mjs', import.meta.url).href}?${process.pid}`;

/** Starts a child; stdio and the rest as for `spawn`. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const node = command === process.execPath ? ['--import', WITH_PARENT] : [];
  const child = spawn(command, [...node, ...args], { cwd: ROOT, stdio: 'inherit', ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * Runs a script of this repository or of an installed package with this Node, to its end; its output comes without colours.
 *
 * @param onLine receives each line as soon as it is complete
 */
export async function runNode(
  args: readonly string[],
  options: SpawnOptions = {},
  onLine: (line: string) => void = () => {},
): Promise<{ readonly code: number; readonly output: string }> {
  const child = start(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    let line = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const lines = `${line}${chunk}`.split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) onLine(stripVTControlCharacters(each));
    });
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? (signal ? 1 : 0), output: stripVTControlCharacters(output) };
}

/** The path of an installed command's script. */
export const bin = (path: string): string => join(ROOT, 'node_modules', path);

/**
 * Resolves once the child's output matches. @throws {Error} with its output when it ends before, or after ten minutes, which a busy
 * machine does not explain
 */
export async function untilSays(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let words = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(slow);
      reject(new Error(`${why}\n${words}`.trim()));
    };
    const slow = setTimeout(() => {
      void stop(child);
      fail(`${child.spawnfile} was not ready within ten minutes.`);
    }, 600_000);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        words = (words + text).slice(-20_000);
        const match = pattern.exec(words);
        if (match === null) return;
        clearTimeout(slow);
        resolve(match);
      });
    }
    child.once('error', ({ message }) => fail(message));
    child.once('close', (code) => fail(`${child.spawnfile} ended with code ${code} before it was ready.`));
  });
}

/** Terminates a child, and kills it after five seconds. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const insist = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.kill(signal);
  await once(child, 'exit');
  clearTimeout(insist);
}

export const stopAll = async (): Promise<unknown> => Promise.all([...running].map(async (child) => stop(child)));

/** Ends every child, then the process, when the user interrupts. `cleanUp` may stop other resources. */
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
