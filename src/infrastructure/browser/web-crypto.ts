import type { CryptoPort } from '../../application/ports/index.ts';
import { uuidV4 } from './uuid-v4.ts';

/**
 * Web Cryptography. `randomUUID` and `subtle` are missing on pages that are neither https nor loopback; there only
 * `sha256` rejects.
 */
export class WebCrypto implements CryptoPort {
  constructor(private readonly crypto: Crypto) {}

  words(count: number): Uint32Array {
    return this.crypto.getRandomValues(new Uint32Array(count));
  }

  uuid(): string {
    return uuidV4(this.words(4));
  }

  async sha256(text: string): Promise<Uint8Array> {
    return new Uint8Array(await this.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  }
}
