import { sql } from 'kysely';
import type { JWK } from 'jose';
import { parseJson } from '#domain/json.ts';
import { hasShape, type Shape } from '#domain/shape.ts';
import type { Db } from '../db/database.ts';

/** The unencrypted keys of versions that did not encrypt keys. */
export interface ClearKeys {
  readonly codeKey: Uint8Array;
  /** The private key that signed sessions. */
  readonly signing: JWK;
}

const STORED = { signing: 'object', code: 'string' } as const satisfies Shape;

export function clearKeysFrom(stored: unknown): ClearKeys {
  if (!hasShape(STORED, stored)) throw new Error('the stored server keys are damaged');
  return { codeKey: Buffer.from(stored.code, 'base64url'), signing: stored.signing };
}

/**
 * The unencrypted keys in the database of an older version, or null. Throws if their table is gone: then the upgrade is complete, and
 * missing keys were lost or removed.
 */
export async function clearKeysIn(tx: Db): Promise<ClearKeys | null> {
  const { rows: there } = await sql<{ is: boolean }>`select to_regclass('server_keys') is not null as is`.execute(tx);
  if (there[0]?.is !== true) throw new Error('The database has lost its sealed keys: restore the table sealed_keys.');
  const { rows } = await sql<{ value: string }>`select value from server_keys where name = 'keys'`.execute(tx);
  return rows[0] === undefined ? null : clearKeysFrom(parseJson(rows[0].value));
}
