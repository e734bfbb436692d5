import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** zxcvbn's score, from 0 to 4, and its words. */
export interface Judgement {
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly warning: string;
  readonly suggestions: readonly string[];
}

export interface JudgeTask {
  readonly password: string;
  readonly known: readonly string[];
}

/** The dictionaries take some 60 MB. */
const MAX_HEAP_MB = 256;

/** A thread for one task at a time: started when it is first needed, and again after it failed or took too long. */
export class JudgeThread {
  private worker: Worker | null = null;

  constructor(
    private readonly file: URL,
    private readonly timeoutMs: number,
  ) {}

  /** Rejects when the thread fails, ends, or takes too long. */
  async judge(task: JudgeTask): Promise<Judgement> {
    const worker = this.worker ?? this.start();
    const patience = new AbortController();
    const giveUp = (): void => patience.abort();
    const timer = setTimeout(giveUp, this.timeoutMs);
    worker.once('exit', giveUp);
    try {
      const answered = once(worker, 'message', { signal: patience.signal });
      worker.postMessage(task);
      const [judgement] = (await answered) as [Judgement];
      return judgement;
    } catch (error) {
      this.lose(worker);
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('exit', giveUp);
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.file, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    // An error that nobody listens for would end the process.
    worker.on('error', () => this.lose(worker));
    worker.on('exit', () => this.lose(worker));
    worker.unref();
    this.worker = worker;
    return worker;
  }

  private lose(worker: Worker): void {
    if (this.worker === worker) this.worker = null;
    void worker.terminate();
  }
}
