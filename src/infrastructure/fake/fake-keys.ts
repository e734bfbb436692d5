import type { KeysPort, PublishedKey } from '../../application/ports/index.ts';

/** A set of keys in memory, which counts how often it was read. */
export class FakeKeys implements KeysPort {
  /** How often the set was asked for, in vain too. */
  reads = 0;
  /** While it is set, each read rejects with it. */
  failure: Error | null = null;

  constructor(public keys: readonly PublishedKey[] = []) {}

  async read(): Promise<readonly PublishedKey[]> {
    this.reads += 1;
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    return this.keys;
  }
}
