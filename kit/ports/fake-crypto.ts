import type { CryptoPort } from '#application/ports/index.ts';
import { uuidV4 } from '#infrastructure/browser/uuid-v4.ts';

interface NodeCrypto {
  createHash(name: 'sha256'): { update(text: string): { digest(): Uint8Array } };
}

interface NodeScope {
  readonly process?: { readonly getBuiltinModule?: (name: string) => NodeCrypto };
}

/** Deterministic words and UUIDs: the same on every run with the same seed. For tests only. SHA-256 is real. */
export class FakeCrypto implements CryptoPort {
  private state: number;

  constructor(seed = 1) {
    this.state = seed;
  }

  words(count: number): Uint32Array {
    return Uint32Array.from({ length: count }, () => this.next());
  }

  uuid(): string {
    return uuidV4(this.words(4));
  }

  /** In Node, it resolves in one microtask, so that virtual time need not wait for a thread. */
  async sha256(text: string): Promise<Uint8Array> {
    const node = (globalThis as NodeScope).process?.getBuiltinModule?.('node:crypto');
    if (node !== undefined) return new Uint8Array(node.createHash('sha256').update(text).digest());
    return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  }

  /** A Weyl sequence through MurmurHash3's finalizer. */
  private next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let word = this.state;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) >>> 0;
  }
}
