import type { ClockPort, UsedProofsPort } from '../../application/ports/index.ts';

/** About ten megabytes. Beyond it the oldest are forgotten. */
const MOST = 100_000;

/** Remembers used proofs in the memory of this process. */
export class UsedProofsInMemory implements UsedProofsPort {
  /** The time until which each is remembered. The first one was added first. */
  private readonly used = new Map<string, number>();

  constructor(
    private readonly clock: Pick<ClockPort, 'now'>,
    private readonly most = MOST,
  ) {}

  add(id: string, until: number): boolean {
    const now = this.clock.now();
    if ((this.used.get(id) ?? 0) > now) return false;
    this.used.delete(id);
    for (const [first, end] of this.used) {
      if (end > now && this.used.size < this.most) break;
      this.used.delete(first);
    }
    this.used.set(id, until);
    return true;
  }
}
