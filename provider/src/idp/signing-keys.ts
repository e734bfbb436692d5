import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Selectable } from 'kysely';
import { parseJson } from '../../../src/domain/json.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import type { SigningKeysTable } from '../db/tables-authorization-server.ts';
import { MINUTE_MS } from '../platform.ts';
import { seal, unseal } from '../security/seal.ts';
import type { Services } from '../services.ts';

export const ALGORITHM = 'RS256';
/** How long a copy of the key set may be kept. */
export const JWKS_MAX_AGE_SECONDS = 300;

const DAY_MS = 24 * 60 * MINUTE_MS;
const LIFETIME_MS = 90 * DAY_MS;
/** A new key is shown for so long before it signs: every copy of the key set has it by then. */
const AHEAD_MS = 2 * JWKS_MAX_AGE_SECONDS * 1000;
/** What a key signed has expired so long after the next one took over, clocks that differ included. */
const OUTLIVES_MS = 70 * MINUTE_MS;
/** A hint at the logout may be old (OpenID Connect RP-Initiated Logout, section 2). */
const HINTS_MS = 400 * DAY_MS;

type Keyed = Pick<Services, 'db' | 'clock' | 'random' | 'keys'>;
type Row = Selectable<SigningKeysTable>;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/**
 * The key that signs now; it is replaced by a new one every 90 days.
 *
 * The database is asked every time, so that servers that share one agree at once. Not for use within a transaction: the
 * embedded database has one connection.
 */
export async function signingKey(services: Keyed): Promise<SigningKey> {
  const now = services.clock.now();
  const rows = await upToDate(services);
  const row = rows.find(({ active_at }) => active_at.getTime() <= now);
  const opened = row === undefined ? null : await open(services, row);
  if (opened !== null) return opened;
  // The database came without the key that it was sealed with: what it signed stays good, and a new one takes over.
  const made = await open(services, await makeKey(services, rows, now));
  if (made === null) throw new Error('a new signing key does not open');
  return made;
}

/** Makes a new key that signs from now on; what the old ones signed stays good until it expires. */
export async function rotateSigningKey(services: Keyed): Promise<string> {
  return (await makeKey(services, await keyRows(services), services.clock.now())).kid;
}

/** The keys that anything valid may be signed with, and those that will sign soon (RFC 7517). */
export async function publishedKeys(services: Keyed): Promise<{ readonly keys: readonly JWK[] }> {
  const now = services.clock.now();
  const rows = await upToDate(services);
  const published = rows.filter((row) => endOf(rows, row) + OUTLIVES_MS > now);
  return { keys: published.map(({ public_key }) => public_key as JWK) };
}

/** For checking what this server signed, however long ago. Rejects for a key that is not its own. */
export async function verificationKey({ db }: Pick<Services, 'db'>, kid: string | undefined): Promise<CryptoKey> {
  const row = await db
    .selectFrom('signing_keys')
    .select('public_key')
    .where('kid', '=', kid ?? '')
    .executeTakeFirst();
  if (row === undefined) throw new Error('no key of this server');
  return (await importJWK(row.public_key as JWK, ALGORITHM)) as CryptoKey;
}

/** Forgets private keys that sign no more, and public ones that nobody can ask for. */
export async function sweepSigningKeys({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const rows = await keyRows({ db });
  for (const row of rows) {
    const ended = clock.now() - endOf(rows, row);
    if (ended > HINTS_MS) await db.deleteFrom('signing_keys').where('generation', '=', row.generation).execute();
    else if (ended > OUTLIVES_MS && row.sealed !== null) {
      await db.updateTable('signing_keys').set({ sealed: null }).where('generation', '=', row.generation).execute();
    }
  }
}

/** Newest first. */
async function keyRows({ db }: Pick<Services, 'db'>): Promise<readonly Row[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('generation', 'desc').execute();
}

/** When a newer key took over, or will; never for the newest. */
function endOf(rows: readonly Row[], { generation }: Row): number {
  const newer = rows.filter((row) => row.generation > generation).map(({ active_at }) => active_at.getTime());
  return Math.min(Number.POSITIVE_INFINITY, ...newer);
}

/** The rows, with a first key where there is none, and with the next one where the newest is of age. */
async function upToDate(services: Keyed): Promise<readonly Row[]> {
  const now = services.clock.now();
  const rows = await keyRows(services);
  const [newest] = rows;
  if (newest !== undefined && newest.created_at.getTime() + LIFETIME_MS > now) return rows;
  await makeKey(services, rows, newest === undefined ? now : now + AHEAD_MS);
  return keyRows(services);
}

/** The next generation: the one made here, or the one that another server made at the same moment. */
async function makeKey(services: Keyed, rows: readonly Row[], activeAt: number): Promise<Row> {
  const generation = (rows[0]?.generation ?? 0) + 1;
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const open = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(open);
  const secret = JSON.stringify(await exportJWK(privateKey));
  await services.db
    .insertInto('signing_keys')
    .values({
      generation,
      kid,
      public_key: JSON.stringify({ ...open, kid, alg: ALGORITHM, use: 'sig' }),
      sealed: seal(services.random, services.keys.codeKey, kid, secret),
      created_at: new Date(services.clock.now()),
      active_at: new Date(activeAt),
    })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .execute();
  return services.db
    .selectFrom('signing_keys')
    .selectAll()
    .where('generation', '=', generation)
    .executeTakeFirstOrThrow();
}

/** Null for a key that this server cannot open. */
async function open({ keys }: Keyed, { kid, sealed }: Row): Promise<SigningKey | null> {
  if (sealed === null) return null;
  try {
    const secret = parseJson(unseal(keys.codeKey, kid, sealed));
    return isRecord(secret) ? { kid, privateKey: (await importJWK(secret as JWK, ALGORITHM)) as CryptoKey } : null;
  } catch {
    return null;
  }
}
