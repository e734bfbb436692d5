/** Runs a bundle in Hermes as a program, and does for it what a phone would: requests, hashes, timers and stored texts. */
import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux x64': 'linux64-bin/hermes',
  'darwin x64': 'osx-bin/hermes',
  'darwin arm64': 'osx-bin/hermes',
};
const PROGRAM = PLATFORMS[`${process.platform} ${process.arch}`];

/** Whether there is a program of Hermes for this machine. */
export const HAS_HERMES = PROGRAM !== undefined;

/** What stays on the device when the app ends. */
export interface StoredValue {
  readonly secrets: Map<string, string>;
  readonly storage: Map<string, string>;
}

interface Message {
  readonly call: string;
  readonly id: number;
  readonly [field: string]: unknown;
}

interface RunResult {
  readonly value?: unknown;
  readonly problem?: { readonly message: string; readonly stack?: string };
}

export interface HermesOptions {
  readonly bundle: string;
  readonly stored: StoredValue;
  readonly settings: Readonly<Record<string, string>>;
}

export class Hermes {
  /** What the client logged. */
  readonly logged: string[] = [];
  /** The addresses that the app opened in the system's browser. */
  readonly opened: string[] = [];
  /** The headers of each request. */
  readonly sent: Readonly<Record<string, string>>[] = [];
  private readonly child = spawn(join(ROOT, 'tests/hermes/node_modules/hermes-engine-cli', PROGRAM ?? ''), [], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  private readonly waiting = new Map<number, (done: RunResult) => void>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly strange: string[] = [];
  private calls = 0;

  constructor({ bundle, stored, settings }: HermesOptions) {
    const random = new Uint32Array(new Uint8Array(randomBytes(16_384)).buffer);
    const given = { settings, secrets: [...stored.secrets], storage: [...stored.storage], random: [...random] };
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const at = line.indexOf('@{');
      if (at < 0) this.strange.push(line);
      else this.answer(JSON.parse(line.slice(at + 1)) as Message, stored);
    });
    this.child.once('exit', () => this.waiting.forEach((done) => done({ problem: { message: 'Hermes has ended' } })));
    this.evaluate(`var HOST = ${JSON.stringify(given)}; 0`);
    this.evaluate(`(0, eval)(${JSON.stringify(bundle)}); 0`);
  }

  /** Evaluates an expression, such as a call of `client`, and resolves with what its promise resolves with. */
  async run(expression: string): Promise<unknown> {
    const id = ++this.calls;
    const done = new Promise<RunResult>((resolve) => this.waiting.set(id, resolve));
    this.evaluate(`host.run(${id}, () => (${expression})); 0`);
    // An expression that cannot be evaluated, as after a fault of the bundle, prints its error and no answer.
    this.evaluate(`print('@' + JSON.stringify({ call: 'evaluated', id: ${id}, works: typeof host })); 0`);
    const { value, problem } = await done;
    if (problem === undefined) return value;
    throw Object.assign(new Error(), problem, {
      stack: `${problem.message}\n${problem.stack ?? this.strange.join('\n')}`,
    });
  }

  /** The app comes back to the front. */
  activate(): void {
    this.evaluate('host.activate(); 0');
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.child.kill();
  }

  private evaluate(line: string): void {
    if (this.child.stdin.writable) this.child.stdin.write(`${line}\n`);
  }

  private answer(message: Message, stored: StoredValue): void {
    const { call, id } = message;
    if (call === 'done') this.finish(id, message as RunResult);
    else if (call === 'evaluated') {
      if (message['works'] !== 'object') this.finish(id, { problem: { message: 'the bundle did not start' } });
    } else if (call === 'log') this.logged.push((message['words'] as readonly string[]).join(' '));
    else if (call === 'open') this.opened.push(String(message['url']));
    else if (call === 'timer') this.wait(id, Number(message['ms']));
    else if (call === 'store') {
      const { area, key, value } = message as unknown as { area: keyof StoredValue; key: string; value: string | null };
      if (value === null) stored[area].delete(key);
      else stored[area].set(key, value);
    } else if (call === 'sha256') {
      const hash = createHash('sha256').update(String(message['text']));
      this.settle(id, [...hash.digest()]);
    } else if (call === 'fetch') void this.fetch(message);
  }

  private finish(id: number, done: RunResult): void {
    this.waiting.get(id)?.(done);
    this.waiting.delete(id);
  }

  private wait(id: number, ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.evaluate(`host.fire(${id}); 0`);
    }, ms);
    this.timers.add(timer);
  }

  /** Like the system's networking: no origin, and no cookie. */
  private async fetch({ id, ...request }: Message): Promise<void> {
    const { url, method, headers, body } = request as unknown as {
      url: string;
      method: string;
      headers: Record<string, string>;
      body: string | null;
    };
    this.sent.push(headers);
    try {
      const reply = await fetch(url, { method, headers, body });
      const text = await reply.text();
      this.settle(id, { status: reply.status, url: reply.url, headers: [...reply.headers], text });
    } catch (error) {
      this.settle(id, null, (error as Error).message);
    }
  }

  private settle(id: number, value: unknown, problem: string | null = null): void {
    this.evaluate(`host.settle(${id}, ${JSON.stringify(value)}, ${JSON.stringify(problem)}); 0`);
  }
}
