import { Refusal } from '../http/refusal.ts';

/** Runs so many at once; the others wait in line, and those for whom the line is too long are refused. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(
    readonly slots: number,
    readonly longestLine: number,
  ) {
    this.free = slots;
  }

  /** How many run now. */
  get running(): number {
    return this.slots - this.free;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free === 0) {
      if (this.waiting.length >= this.longestLine) {
        throw new Refusal('service_unavailable', 'Too many passwords are being checked.', 1);
      }
      await new Promise<void>((resume) => this.waiting.push(resume));
    } else this.free -= 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
