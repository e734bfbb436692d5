/** A JSON Web Key (RFC 7517), as its issuer published it. Nothing of it has been checked. */
export type PublishedKey = Readonly<Record<string, unknown>>;

/**
 * Reads the public keys of a project's session JWTs.
 *
 * - each call reads the set as it is now: nothing is kept;
 * - the keys are in the order in which they were published;
 * - a set that cannot be read rejects, as does an answer that is no set of keys.
 */
export interface KeysPort {
  read(): Promise<readonly PublishedKey[]>;
}
