import type { CryptoPort } from '#application/ports/index.ts';
import { insecurePage, isInsecure } from '#domain/insecure-page.ts';
import { uuidV4 } from './uuid-v4.ts';

/**
 * Web Cryptography. On pages that are neither https nor loopback, `randomUUID` and `subtle` are missing; there `sha256` rejects
 * with `insecure_page`, and the other methods work.
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
    if (isInsecure(this.crypto)) throw insecurePage();
    return new Uint8Array(await this.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  }
}
