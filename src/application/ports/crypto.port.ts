/**
 * Randomness and hashing.
 *
 * - `words` answers `count` uniformly random 32-bit integers;
 * - `uuid` answers a version 4 UUID (RFC 9562);
 * - `sha256` answers 32 bytes.
 */
export interface CryptoPort {
  words(count: number): Uint32Array;
  uuid(): string;
  sha256(text: string): Promise<Uint8Array>;
}
