import { sql, type Selectable } from 'kysely';
import type { Db, PasscodesTable } from '../db/tables.ts';
import { codeHash, newPasscode, sameSecret } from '../security/secrets.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';

/** After so many tries a passcode is dead, whatever is entered next. */
const MAX_TRIES = 5;

export interface PasscodeRequest {
  readonly method_id: string;
  readonly channel: 'email' | 'sms' | 'whatsapp';
  readonly minutes: number;
  /** The signed-in user whom the code adds an address or number to. */
  readonly adds?: { readonly user_id: string; readonly address: string };
}

/** A new passcode for a destination; the one before is worth nothing from here on. */
export async function issuePasscode(
  services: Services,
  tx: Db,
  { method_id, channel, minutes, adds }: PasscodeRequest,
): Promise<string> {
  const code = newPasscode(services.random);
  const fresh = {
    code_hash: codeHash(services.keys.codeKey, method_id, code),
    tries: 0,
    expires_at: new Date(services.clock.now() + minutes * MINUTE_MS),
    channel,
    adds_to: adds?.user_id ?? null,
    address: adds?.address ?? null,
  };
  await tx
    .insertInto('passcodes')
    .values({ method_id, ...fresh })
    .onConflict((conflict) => conflict.column('method_id').doUpdateSet(fresh))
    .execute();
  return code;
}

export type Passcode = Pick<Selectable<PasscodesTable>, 'method_id' | 'code_hash' | 'channel' | 'adds_to' | 'address'>;

/**
 * The live passcode that this is, or null. Every call costs one of its tries, and is counted before the
 * comparison and outside of any transaction: neither a crash nor parallel guesses give one back.
 */
export async function tryPasscode(services: Services, methodId: string, code: string): Promise<Passcode | null> {
  const tried = await services.db
    .updateTable('passcodes')
    .set({ tries: sql<number>`tries + 1` })
    .where('method_id', '=', methodId)
    .where('tries', '<', MAX_TRIES)
    .where('expires_at', '>', new Date(services.clock.now()))
    .returning(['method_id', 'code_hash', 'channel', 'adds_to', 'address'])
    .executeTakeFirst();
  const given = codeHash(services.keys.codeKey, methodId, code);
  return tried !== undefined && sameSecret(tried.code_hash, given) ? tried : null;
}

/** Spends the passcode. True for one caller only. */
export async function redeemPasscode(tx: Db, { method_id, code_hash }: Passcode): Promise<boolean> {
  const spent = await tx
    .deleteFrom('passcodes')
    .where('method_id', '=', method_id)
    .where('code_hash', '=', code_hash)
    .returning('method_id')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Passcodes on their way to an address or number that is no more. */
export async function dropPasscode(tx: Db, methodId: string): Promise<void> {
  await tx.deleteFrom('passcodes').where('method_id', '=', methodId).execute();
}
