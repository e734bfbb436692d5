const MOST = 500;
/** A batch that takes longer makes the next one smaller. The database aborts a statement after four seconds. */
const SLOW_MS = 1_000;
/** The minimum: on a busy machine each statement is slow, and even smaller batches would delete fewer rows than people add. */
const LEAST_IF_SLOW = 50;

/** The number of rows per batch. It shrinks while the database is slow, and grows again. */
export class BatchSize {
  private size: number;

  constructor(private readonly most = MOST) {
    this.size = most;
  }

  get rows(): number {
    return this.size;
  }

  /** Call it after a batch that took `ms`. */
  took(ms: number): void {
    if (ms <= SLOW_MS) this.size = Math.min(this.most, this.size * 2);
    else if (this.size > LEAST_IF_SLOW) this.size = Math.max(LEAST_IF_SLOW, Math.floor(this.size / 2));
  }

  /** Call it after the database aborted a batch. False if the batch was a single row, so that a smaller one is impossible. */
  shrink(): boolean {
    if (this.size === 1) return false;
    this.size = Math.max(1, Math.floor(this.size / 4));
    return true;
  }
}
