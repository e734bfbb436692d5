/**
 * Randomness and hashing.
 *
 * - `words` returns `count` uniformly random 32-bit integers;
 * - `uuid` returns a version 4 UUID (RFC 9562);
 * - `sha256` resolves with the 32 bytes of the text's hash. If the page cannot hash, it rejects with an `AuthError`.
 */
export interface CryptoPort {
  words(count: number): Uint32Array;
  uuid(): string;
  sha256(text: string): Promise<Uint8Array>;
}
