import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { codeHash, newPasscode, sameSecret } from '../security/secrets.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';

/** After so many tries a passcode is dead, whatever is entered next. */
const MAX_TRIES = 5;

/** A new passcode for a destination; the one before is worth nothing from here on. */
export async function issuePasscode(services: Services, tx: Db, methodId: string, minutes: number): Promise<string> {
  const code = newPasscode(services.random);
  const fresh = {
    code_hash: codeHash(services.keys.codeKey, methodId, code),
    tries: 0,
    expires_at: new Date(services.clock.now() + minutes * MINUTE_MS),
  };
  await tx
    .insertInto('passcodes')
    .values({ method_id: methodId, ...fresh })
    .onConflict((conflict) => conflict.column('method_id').doUpdateSet(fresh))
    .execute();
  return code;
}

/**
 * The hash of the live passcode that this is, or null. Every call costs one of its tries, and is counted before the
 * comparison and outside of any transaction: neither a crash nor parallel guesses give one back.
 */
export async function tryPasscode(services: Services, methodId: string, code: string): Promise<string | null> {
  const tried = await services.db
    .updateTable('passcodes')
    .set({ tries: sql<number>`tries + 1` })
    .where('method_id', '=', methodId)
    .where('tries', '<', MAX_TRIES)
    .where('expires_at', '>', new Date(services.clock.now()))
    .returning('code_hash')
    .executeTakeFirst();
  const given = codeHash(services.keys.codeKey, methodId, code);
  return tried !== undefined && sameSecret(tried.code_hash, given) ? tried.code_hash : null;
}

/** Spends the passcode. True for one caller only. */
export async function redeemPasscode(tx: Db, methodId: string, hash: string): Promise<boolean> {
  const spent = await tx
    .deleteFrom('passcodes')
    .where('method_id', '=', methodId)
    .where('code_hash', '=', hash)
    .returning('method_id')
    .executeTakeFirst();
  return spent !== undefined;
}
