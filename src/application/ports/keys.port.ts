/** A JSON Web Key (RFC 7517) as published by its issuer. It is not validated. */
export type PublishedKey = Readonly<Record<string, unknown>>;

/**
 * Reads the public keys of a project's session JWTs.
 *
 * - each call reads the current set, without a cache;
 * - the keys are in the order in which they were published;
 * - rejects when the set cannot be read or is not a valid set of keys.
 */
export interface KeysPort {
  read(): Promise<readonly PublishedKey[]>;
}
