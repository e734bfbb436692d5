import type { ClockPort, UsedProofsPort } from '#application/ports/index.ts';

/** About fifty megabytes, or 1,400 proofs per second. */
const MOST = 500_000;

/**
 * Remembers used proofs in the memory of this process. It throws when it is full. If it dropped old proofs instead, an attacker could fill
 * it with proofs of their own session, and then reuse a copied one.
 */
export class UsedProofsInMemory implements UsedProofsPort {
  /** The time until which each proof is remembered, in the order of their addition. */
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
      if (end > now) break;
      this.used.delete(first);
    }
    if (this.used.size >= this.most) throw new Error(`More than ${this.most} proofs were used within six minutes.`);
    this.used.set(id, until);
    return true;
  }
}
