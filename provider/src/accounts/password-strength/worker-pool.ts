import { availableParallelism } from 'node:os';
import { Semaphore } from '#provider/base/security/semaphore.ts';
import { WorkerThread } from './worker-thread.ts';

/** One core stays free for the rest of the server. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));

export interface PoolOptions {
  /** The script of a thread, which answers each task with one message. */
  readonly worker: URL;
  readonly threads?: number | undefined;
  /** The number of tasks that may wait for a thread. Later ones are rejected. */
  readonly maxQueue: number;
  /** The longest time of a task. After that its thread is replaced. */
  readonly timeoutMs: number;
}

/** Threads for pure CPU work, so that it never blocks the event loop. The queue is short. */
export class WorkerPool<Task, Answer> {
  private readonly line: Semaphore;
  private readonly threads: readonly WorkerThread<Task, Answer>[];
  private readonly idle: WorkerThread<Task, Answer>[];

  constructor({ worker, threads = THREADS, maxQueue, timeoutMs }: PoolOptions) {
    this.line = new Semaphore(threads, maxQueue);
    this.threads = Array.from({ length: threads }, () => new WorkerThread<Task, Answer>(worker, timeoutMs));
    this.idle = [...this.threads];
  }

  get size(): number {
    return this.threads.length;
  }

  /** @param signal if it is aborted before the task's turn, the task does not begin */
  async run(task: Task, signal?: AbortSignal): Promise<Answer> {
    return this.line.run(async () => {
      signal?.throwIfAborted();
      return this.onThread(task);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private async onThread(task: Task): Promise<Answer> {
    // The semaphore has as many slots as there are threads, so one thread is idle.
    const thread = this.idle.pop();
    if (thread === undefined) throw new Error('no idle thread');
    try {
      return await thread.ask(task);
    } finally {
      this.idle.push(thread);
    }
  }
}
