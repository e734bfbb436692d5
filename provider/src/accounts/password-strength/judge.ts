import { Refusal } from '#domain/rules/refusal.ts';
import { WorkerPool } from './worker-pool.ts';

/** zxcvbn's score, from 0 to 4, and its words. */
export interface StrengthEstimate {
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly warning: string;
  readonly suggestions: readonly string[];
}

interface JudgeTask {
  readonly password: string;
  readonly known: readonly string[];
}

export interface JudgeOptions {
  /** The script of a thread, which answers each task with one message. */
  readonly worker?: URL;
  readonly threads?: number;
  /** The number of judgements that may wait for a thread. Later ones are rejected with 503. */
  readonly maxQueue?: number;
  /** The longest wait of a judgement for its turn and for a thread to load. */
  readonly waitMs?: number;
  /** The longest time of a judgement. After that its thread is replaced. */
  readonly timeoutMs?: number;
}

/**
 * Only this many UTF-16 units of a password are judged. zxcvbn's time grows with the square of the length: of all texts
 * made to be slow (random, leet, repeats, dictionary words, dates), the worst of this length takes some 20 ms on one core.
 */
export const JUDGED_LENGTH = 48;
/** The limits on the words of the user and the project that make a password weak: how many, and how long. */
const MAX_KNOWN = 24;
const MAX_KNOWN_LENGTH = 64;

/**
 * Runs zxcvbn in separate threads, because a judgement is pure CPU work that anyone can request. So it never blocks the event loop. The
 * queue is short, and a judgement that takes too long is answered with 503.
 */
export class PasswordJudge {
  private readonly pool: WorkerPool<JudgeTask, StrengthEstimate>;
  private readonly waitMs: number;

  constructor({
    worker = new URL('./strength-worker.mjs', import.meta.url),
    threads,
    maxQueue = 32,
    waitMs = 20_000,
    timeoutMs = 5_000,
  }: JudgeOptions = {}) {
    this.waitMs = waitMs;
    this.pool = new WorkerPool({ worker, threads, maxQueue, timeoutMs });
  }

  async judge(password: string, words: readonly string[]): Promise<StrengthEstimate> {
    const task = {
      password: password.slice(0, JUDGED_LENGTH),
      known: [...new Set(words)].slice(0, MAX_KNOWN).map((word) => word.slice(0, MAX_KNOWN_LENGTH)),
    };
    const late = new AbortController();
    const waited = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(new Error('waited too long')));
    });
    const timer = setTimeout(() => late.abort(), this.waitMs);
    try {
      return await Promise.race([this.pool.run(task, late.signal), waited]);
    } catch {
      throw new Refusal(
        'service_unavailable',
        'Too many passwords are being checked. Please try again in a moment.',
        1,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Loads the dictionaries in every thread, so that the first request does not wait for them. */
  async warm(): Promise<void> {
    await Promise.all(Array.from({ length: this.pool.size }, () => this.judge('', [])));
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

let shared: PasswordJudge | null = null;

/** The judge of this process. Threads cost memory, so all services share them unless they bring their own judge. */
export function sharedJudge(): PasswordJudge {
  shared ??= new PasswordJudge();
  return shared;
}
