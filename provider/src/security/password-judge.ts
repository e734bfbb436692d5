import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { Refusal } from '../http/refusal.ts';

/** zxcvbn's score, from 0 to 4, and its words. */
export interface Judgement {
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly warning: string;
  readonly suggestions: readonly string[];
}

export interface JudgeOptions {
  /** The module that a thread loads; it exports `judge`. */
  readonly worker?: URL;
  readonly threads?: number;
  /** How many may wait for a thread. Who comes after them is told to come back. */
  readonly maxQueue?: number;
  /** How long one may take, its wait included. Its thread is replaced then. */
  readonly timeoutMs?: number;
}

/**
 * What is judged of a password, in UTF-16 units. zxcvbn's time grows with the square of it: of all the texts made to be
 * slow (random, leet, repeats, dictionary words, dates), the worst of this length takes some 20 ms on one core.
 */
export const JUDGED_LENGTH = 48;
/** Words of the user's and the project's that count as known, and the longest of them. */
const MAX_KNOWN = 24;
const MAX_KNOWN_LENGTH = 64;

/** One core is left to everybody else. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));

/**
 * zxcvbn in threads of its own: a judgement is pure work for the processor, and asked for by anybody. It never holds up
 * the event loop, its line is short, and it is answered with 503 when it takes too long.
 */
export class PasswordJudge {
  private readonly pool: Tinypool;
  private readonly timeoutMs: number;

  constructor({
    worker = new URL('./strength-worker.mjs', import.meta.url),
    threads = THREADS,
    maxQueue = 32,
    timeoutMs = 5_000,
  }: JudgeOptions = {}) {
    this.timeoutMs = timeoutMs;
    this.pool = new Tinypool({
      filename: worker.href,
      name: 'judge',
      minThreads: threads,
      maxThreads: threads,
      maxQueue,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    // An idle thread that fails is replaced by the next judgement; without a listener it would end the process.
    this.pool.on('error', () => undefined);
  }

  async judge(password: string, known: readonly string[]): Promise<Judgement> {
    const task = {
      password: password.slice(0, JUDGED_LENGTH),
      known: [...new Set(known)].slice(0, MAX_KNOWN).map((word) => word.slice(0, MAX_KNOWN_LENGTH)),
    };
    try {
      return (await this.pool.run(task, { signal: AbortSignal.timeout(this.timeoutMs) })) as Judgement;
    } catch {
      throw new Refusal('service_unavailable', 'Too many passwords are being judged.', 1);
    }
  }

  /** Loads the dictionaries, so that the first who asks need not wait for them. */
  async warm(): Promise<void> {
    await this.judge('', []);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

let shared: PasswordJudge | null = null;

/** The judge of this process: threads cost memory, so all services share them unless they bring their own. */
export function sharedJudge(): PasswordJudge {
  shared ??= new PasswordJudge();
  return shared;
}
