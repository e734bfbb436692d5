import type { KeysPort, PublishedKey } from '#application/ports/index.ts';

/** A set of keys in memory that counts its reads. */
export class FakeKeys implements KeysPort {
  /** The number of reads, including failed ones. */
  reads = 0;
  /** While set, each read rejects with this error. */
  failure: Error | null = null;

  constructor(public keys: readonly PublishedKey[] = []) {}

  async read(): Promise<readonly PublishedKey[]> {
    this.reads += 1;
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    return this.keys;
  }
}
