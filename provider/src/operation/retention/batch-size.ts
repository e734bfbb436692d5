const MOST = 500;
/** A slower batch makes the next one smaller. The database cuts a statement off after four seconds. */
const SLOW_MS = 1_000;

/** The number of rows of a batch: it shrinks while the database is slow, and grows again. */
export class BatchSize {
  private size: number;

  constructor(private readonly most = MOST) {
    this.size = most;
  }

  get rows(): number {
    return this.size;
  }

  /** After a batch that took `ms`. */
  took(ms: number): void {
    this.size = ms > SLOW_MS ? Math.max(1, Math.floor(this.size / 2)) : Math.min(this.most, this.size * 2);
  }

  /** After the database cut a batch off. False if the batch was a single row, so that a smaller one does not help. */
  shrink(): boolean {
    if (this.size === 1) return false;
    this.size = Math.max(1, Math.floor(this.size / 4));
    return true;
  }
}
