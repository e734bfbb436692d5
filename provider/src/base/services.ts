import type { Db } from './db/database.ts';
import type { Clock, Random } from './platform.ts';

/**
 * The data keys of this server, which are in the database, wrapped under the operator's master key. A copy of the database alone reveals no
 * passcode, opens no sealed secret and signs nothing.
 */
export interface ServerKeys {
  /** Hashes passcodes, and encrypts secrets that the API shows again. */
  readonly codeKey: Uint8Array;
  /** Encrypts the private signing keys, and authenticates the public ones. */
  readonly signingSecret: Uint8Array;
}

/** The services of this wing. Each wing extends those of the wings below it. */
export interface Services {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: ServerKeys;
  /**
   * Whether this is a developer's own machine (`--dev`). Only then the inbox, social accounts without passwords and test tokens for captcha
   * exist; everything else is the same as on the internet.
   */
  readonly dev: boolean;
}
