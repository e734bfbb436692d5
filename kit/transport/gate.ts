import type { SeenRequest } from './seen-request.ts';

interface HeldRequest {
  readonly request: SeenRequest;
  readonly go: () => void;
}

/** Holds finished replies until the test releases them, so that the test controls their order. */
export class Gate {
  private readonly queue: HeldRequest[] = [];
  private open = false;

  /** @param opened called when the gate is opened permanently */
  constructor(private readonly opened: () => void) {}

  /** The requests whose replies are held, oldest first. */
  get waiting(): readonly SeenRequest[] {
    return this.queue.map(({ request }) => request);
  }

  /** Releases the reply at `index`. Without an index, releases all and stops holding. */
  release(index?: number): void {
    if (index !== undefined) {
      for (const { go } of this.queue.splice(index, 1)) go();
      return;
    }
    this.open = true;
    this.opened();
    for (const { go } of this.queue.splice(0)) go();
  }

  async pass(request: SeenRequest): Promise<void> {
    if (this.open) return;
    await new Promise<void>((go) => void this.queue.push({ request, go }));
  }
}
