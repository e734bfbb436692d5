import { availableParallelism } from 'node:os';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { JudgeThread, type Judgement } from './judge-thread.ts';
import { Semaphore } from '../security/semaphore.ts';

export interface JudgeOptions {
  /** The script of a thread, which answers each task with one message. */
  readonly worker?: URL;
  readonly threads?: number;
  /** How many judgements may wait for a thread. Later ones are refused with 503. */
  readonly maxQueue?: number;
  /** How long a judgement may wait for its turn and for a thread to load. */
  readonly waitMs?: number;
  /** How long a judgement may take. After that its thread is replaced. */
  readonly timeoutMs?: number;
}

/**
 * Only this many UTF-16 units of a password are judged. zxcvbn's time grows with the square of the length: of all texts
 * made to be slow (random, leet, repeats, dictionary words, dates), the worst of this length takes some 20 ms on one core.
 */
export const JUDGED_LENGTH = 48;
/** The maximum number of words of the user and the project that count as known, and their maximum length. */
const MAX_KNOWN = 24;
const MAX_KNOWN_LENGTH = 64;

/** One core stays free for the rest of the server. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));

/**
 * Runs zxcvbn in its own threads, because a judgement is pure CPU work that anybody can request. It never blocks the event
 * loop, its queue is short, and it is answered with 503 when it takes too long.
 */
export class PasswordJudge {
  private readonly line: Semaphore;
  private readonly threads: readonly JudgeThread[];
  private readonly idle: JudgeThread[];
  private readonly waitMs: number;

  constructor({
    worker = new URL('./strength-worker.mjs', import.meta.url),
    threads = THREADS,
    maxQueue = 32,
    waitMs = 20_000,
    timeoutMs = 5_000,
  }: JudgeOptions = {}) {
    this.waitMs = waitMs;
    this.line = new Semaphore(threads, maxQueue);
    this.threads = Array.from({ length: threads }, () => new JudgeThread(worker, timeoutMs));
    this.idle = [...this.threads];
  }

  async judge(password: string, known: readonly string[]): Promise<Judgement> {
    const task = {
      password: password.slice(0, JUDGED_LENGTH),
      known: [...new Set(known)].slice(0, MAX_KNOWN).map((word) => word.slice(0, MAX_KNOWN_LENGTH)),
    };
    let inTime = true;
    let late = (): void => undefined;
    const waited = new Promise<never>((_, reject) => (late = () => reject(new Error('waited too long'))));
    const timer = setTimeout(() => {
      inTime = false;
      late();
    }, this.waitMs);
    const judged = this.line.run(async () => {
      if (!inTime) throw new Error('waited too long');
      return this.onThread((thread) => thread.judge(task));
    });
    try {
      return await Promise.race([judged, waited]);
    } catch {
      throw new Refusal('service_unavailable', 'Too many passwords are being judged.', 1);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Loads the dictionaries in every thread, so that the first request need not wait for them. */
  async warm(): Promise<void> {
    await Promise.all(this.threads.map(() => this.judge('', [])));
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private async onThread<T>(work: (thread: JudgeThread) => Promise<T>): Promise<T> {
    // The semaphore has as many slots as there are threads, so one thread is idle.
    const thread = this.idle.pop();
    if (thread === undefined) throw new Error('no idle thread');
    try {
      return await work(thread);
    } finally {
      this.idle.push(thread);
    }
  }
}

let shared: PasswordJudge | null = null;

/** The judge of this process: threads cost memory, so all services share them unless they bring their own. */
export function sharedJudge(): PasswordJudge {
  shared ??= new PasswordJudge();
  return shared;
}
