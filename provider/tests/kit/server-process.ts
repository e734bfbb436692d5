import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';
import { ensureBuilt } from '#scripts/lib/steps.ts';
import { basic, PUBLIC_TOKEN, type Fields } from './harness.ts';

/** The built server as a process of its own, with its packages inside (`vite.config.ts`), and how a test calls it. */

const running = new Set<ChildProcess>();

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Empty when it ended before it listened. */
  readonly url: string;
  readonly output: () => string;
  readonly ended: Promise<number | string>;
}

/** Builds the server that tests start, unless that has happened. */
export async function buildServer(): Promise<void> {
  await ensureBuilt(['test-server'], () => undefined);
}

/** Starts the built server for a developer's machine. */
export function spawnServer(...args: readonly string[]): ChildProcess {
  return spawnPublic('--dev', ...args);
}

/** Starts the built server as on the internet. */
export function spawnPublic(...args: readonly string[]): ChildProcess {
  return spawnAt(0, args);
}

/** What a process runs first whose clock is not this machine's. */
function clockThatDiffers(skewMs: number): string {
  const code = `const now = Date.now; Date.now = () => now() + ${skewMs};
    globalThis.Date = new Proxy(Date, {
      apply: (target) => new target(target.now()).toString(),
      construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [target.now()], made),
    });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** As `spawnPublic`, by a command such as those of namespaces. */
export function spawnIn(command: readonly string[], ...args: readonly string[]): ChildProcess {
  return spawnAt(0, args, 'patient.js', command);
}

function spawnAt(
  skewMs: number,
  args: readonly string[],
  file = 'patient.js',
  before: readonly string[] = [],
): ChildProcess {
  const clock = skewMs === 0 ? [] : ['--import', clockThatDiffers(skewMs)];
  // These servers live for seconds: optimising the embedded database would cost as much as they do.
  const node = ['--liftoff-only', ...clock];
  const [command, ...words] = [...before, process.execPath, ...node, join(ROOT, 'provider/.test-server', file)];
  const child = spawn(command, [...words, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts the built server for a developer's machine; resolves when it listens or has ended. */
export function startServer(...args: readonly string[]): Promise<ServerProcess> {
  return whenListening(spawnServer(...args));
}

/** As `startServer`, as on the internet. */
export function startPublicServer(...args: readonly string[]): Promise<ServerProcess> {
  return whenListening(spawnPublic(...args));
}

/** As `startServer`, with the limits of production on how long the database may take. */
export function startImpatientServer(...args: readonly string[]): Promise<ServerProcess> {
  return whenListening(spawnAt(0, ['--dev', ...args], 'main.js'));
}

/** As `startServer`, with a clock that is so far ahead of this machine's. */
export function startServerAt(skewMs: number, ...args: readonly string[]): Promise<ServerProcess> {
  return whenListening(spawnAt(skewMs, ['--dev', ...args]));
}

/** Resolves when a server listens or has ended. */
export function whenListening(child: ChildProcess): Promise<ServerProcess> {
  let output = '';
  return new Promise((resolve) => {
    const ended = new Promise<number | string>((end) => {
      child.on('exit', (code, signal) => {
        end(code ?? signal ?? '');
        resolve({ child, url: '', output: () => output, ended });
      });
    });
    const seen = (part: Buffer): void => {
      output += part.toString();
      const url = /listening on (http:\S+)\n/u.exec(output)?.[1];
      if (url !== undefined) resolve({ child, url, output: () => output, ended });
    };
    child.stdout?.on('data', seen);
    child.stderr?.on('data', seen);
  });
}

/** Ends every server that is still there. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** One request as the client sends it; rejects when no whole answer comes. */
export async function request(
  url: string,
  method: string,
  path: string,
  body?: object,
  session = PUBLIC_TOKEN,
): Promise<Fields> {
  const reply = await fetch(url + path, {
    method,
    headers: {
      authorization: basic(PUBLIC_TOKEN, session),
      // A connection that is kept may be closed by the server while the request is on its way.
      connection: 'close',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Fields;
}
