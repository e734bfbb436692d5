import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { parseJson } from '#domain/json.ts';
import { hasShape, type Shape } from '#domain/shape.ts';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import type { Db } from '../db/database.ts';
import { transaction } from '../db/statements/transaction.ts';
import type { Clock, Random } from '../platform.ts';
import type { ServerKeys } from '../services.ts';
import { clearKeysIn, type ClearKeys } from './clear-keys.ts';
import { unwrap, wrap, type MasterKeys } from './master-key.ts';
import { adoptSigningKeys } from './signing-key-rows.ts';

/** The master keys do not decrypt the keys in the database. */
export class WrongMasterKey extends Error {}

const NAME = 'data-keys';
const WRAPPED = { code: 'string', signing: 'string' } as const satisfies Shape;
/** An arbitrary number. The holder of this advisory lock makes or replaces the keys. */
const LOCK = 7_305_011;
const KEY_BYTES = 32;
/** How long a start waits for a database that does not answer, or for another server that makes the keys. */
const PATIENCE_MS = 30_000;

/** New keys that are not stored, for a database in memory. */
export function temporaryKeys(): Promise<ServerKeys> {
  return Promise.resolve(newKeys());
}

export interface ServerKeyServices {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The keys of the database, made at its first start. Rejects with WrongMasterKey if none of the master keys decrypts them. If several
 * servers start together, one makes them.
 *
 * @param beside unencrypted keys of an older version, which stored them outside the database
 */
export async function keysInDatabase(
  keeping: ServerKeyServices,
  masters: MasterKeys,
  beside: ClearKeys | null = null,
): Promise<ServerKeys> {
  for (const until = performance.now() + PATIENCE_MS; ;) {
    try {
      const sealed = await sealedIn(keeping.db);
      const current = sealed === null ? null : opened(masters, sealed);
      return current === null || current.stale ? await makeOrReplace(keeping, masters, beside) : current.keys;
    } catch (error) {
      // If dozens of servers start together, the wait for the lock may time out.
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error;
      await sleep(100 + 200 * Math.random());
    }
  }
}

async function sealedIn(db: Db): Promise<string | null> {
  const row = await db.selectFrom('sealed_keys').select('sealed').where('name', '=', NAME).executeTakeFirst();
  return row?.sealed ?? null;
}

function makeOrReplace(
  { db, clock, random }: ServerKeyServices,
  masters: MasterKeys,
  beside: ClearKeys | null,
): Promise<ServerKeys> {
  return transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    const ciphertext = await sealedIn(tx);
    if (ciphertext !== null) {
      const { keys, stale } = opened(masters, ciphertext);
      if (stale) {
        const sealed = wrapped(random, masters, keys);
        await tx.updateTable('sealed_keys').set({ sealed }).where('name', '=', NAME).execute();
      }
      return keys;
    }
    const inside = await clearKeysIn(tx);
    const clear = inside ?? beside;
    const keys = clear === null ? newKeys() : { ...newKeys(), codeKey: clear.codeKey };
    await tx
      .insertInto('sealed_keys')
      .values({ name: NAME, sealed: wrapped(random, masters, keys) })
      .execute();
    await adoptSigningKeys({ db: tx, clock, random, keys }, clear, inside !== null);
    // The unencrypted keys are trusted only while their table exists. Once it is dropped, nobody can insert others.
    await sql`drop table if exists server_keys`.execute(tx);
    return keys;
  });
}

function newKeys(): ServerKeys {
  return { codeKey: randomBytes(KEY_BYTES), signingSecret: randomBytes(KEY_BYTES) };
}

function wrapped(random: Random, masters: MasterKeys, { codeKey, signingSecret }: ServerKeys): string {
  const [code, signing] = [codeKey, signingSecret].map((key) => Buffer.from(key).toString('base64url'));
  return wrap(random, masters, NAME, JSON.stringify({ code, signing }));
}

function opened(masters: MasterKeys, sealed: string): { readonly keys: ServerKeys; readonly stale: boolean } {
  const found = unwrap(masters, NAME, sealed);
  const stored = found === null ? null : parseJson(found.text);
  if (found === null || !hasShape(WRAPPED, stored)) throw new WrongMasterKey();
  const [codeKey, signingSecret] = [stored.code, stored.signing].map((text) => Buffer.from(text, 'base64url'));
  if (codeKey?.length !== KEY_BYTES || signingSecret?.length !== KEY_BYTES) throw new WrongMasterKey();
  return { keys: { codeKey, signingSecret }, stale: found.stale };
}
