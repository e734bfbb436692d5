import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Loading a script takes less than a second, but many seconds on a busy machine. */
const LOAD_MS = 60_000;
/** The dictionaries of the strength check take some 60 MB. */
const MAX_HEAP_MB = 256;

/** A thread for one task at a time. It starts at its first use, and again after a failure or a time-out. */
export class WorkerThread<Task, Answer> {
  private worker: Worker | null = null;

  constructor(
    private readonly file: URL,
    private readonly timeoutMs: number,
  ) {}

  /** Rejects when the thread fails, ends, or takes too long. */
  async ask(task: Task): Promise<Answer> {
    const worker = this.worker ?? (await this.start());
    const answer = this.message(worker, this.timeoutMs);
    // A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(task);
    return (await answer) as Answer;
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  /** The first message of the thread means that it has loaded. */
  private async start(): Promise<Worker> {
    const worker = new Worker(this.file, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    // An error event without a listener would end the process.
    worker.on('error', () => this.lose(worker));
    worker.on('exit', () => this.lose(worker));
    worker.unref();
    this.worker = worker;
    await this.message(worker, LOAD_MS);
    return worker;
  }

  private async message(worker: Worker, withinMs: number): Promise<unknown> {
    const patience = new AbortController();
    const giveUp = (): void => patience.abort();
    const timer = setTimeout(giveUp, withinMs);
    worker.once('exit', giveUp);
    try {
      const [message] = (await once(worker, 'message', { signal: patience.signal })) as [unknown];
      return message;
    } catch (error) {
      this.lose(worker);
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('exit', giveUp);
    }
  }

  private lose(worker: Worker): void {
    if (this.worker === worker) this.worker = null;
    void worker.terminate();
  }
}
