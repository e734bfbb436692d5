import type { SeenRequest } from './seen-request.ts';

interface Held {
  readonly request: SeenRequest;
  readonly go: () => void;
}

/** Answers that are ready and wait to be let through, so that a test controls their order. */
export class Gate {
  private readonly held: Held[] = [];
  private open = false;

  /** @param opened is told when the gate has been opened for good */
  constructor(private readonly opened: () => void) {}

  /** The requests whose answers wait here, oldest first. */
  get waiting(): readonly SeenRequest[] {
    return this.held.map(({ request }) => request);
  }

  /** Lets the waiting answer at `index` through; without an index, all of them, and holds no longer. */
  release(index?: number): void {
    if (index !== undefined) {
      for (const { go } of this.held.splice(index, 1)) go();
      return;
    }
    this.open = true;
    this.opened();
    for (const { go } of this.held.splice(0)) go();
  }

  async pass(request: SeenRequest): Promise<void> {
    if (this.open) return;
    await new Promise<void>((go) => void this.held.push({ request, go }));
  }
}
