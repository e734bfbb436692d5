import { importJWK, type CryptoKey, type JWK } from 'jose';
import type { Db } from '../db/database.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';
import {
  ALGORITHM,
  insertKey,
  knownKeys,
  openKey,
  type SigningServices,
  type KeyPurpose,
  type KnownKey,
  type SigningKey,
  type VerificationServices,
} from './signing-key-rows.ts';

/** How long a copy of the key set may be cached. */
export const JWKS_MAX_AGE_SECONDS = 300;

const DAY_MS = 24 * 60 * MINUTE_MS;
const LIFETIME_MS = 90 * DAY_MS;
/** How long a new key is published before it signs, so that every cached copy of the key set has it. */
const AHEAD_MS = 2 * JWKS_MAX_AGE_SECONDS * 1000;
/** This long after the next key took over, everything that a key signed has expired, with a margin for clocks. */
const OUTLIVES_MS = 70 * MINUTE_MS;
/** How long a replaced key verifies tokens, because a logout's hint may be old (RP-Initiated Logout, section 2). */
const KNOWN_MS: Record<KeyPurpose, number> = { apps: 400 * DAY_MS, sessions: OUTLIVES_MS };
/** How long this process uses its copy of the keys, because every request signs or checks a session. */
const COPY_MS: Record<KeyPurpose, number> = { apps: 0, sessions: 3_000 };

/** The keys that this process has opened, so that requests need not open them again. */
interface KeyCache {
  readonly copies: Map<KeyPurpose, { readonly rows: readonly KnownKey[]; readonly at: number }>;
  readonly privateKeys: Map<string, SigningKey>;
  readonly publicKeys: Map<string, CryptoKey>;
}

const rings = new WeakMap<Services['keys'], KeyCache>();

/** The transactions that made a key. */
const makers = new WeakSet<Db>();

function ringOf(keys: Services['keys']): KeyCache {
  const ring = rings.get(keys) ?? { copies: new Map(), privateKeys: new Map(), publicKeys: new Map() };
  rings.set(keys, ring);
  return ring;
}

/**
 * The key that signs now. It is replaced by a new one every 90 days. Within a transaction pass that as `db`, because the embedded database
 * has one connection.
 */
export async function signingKey(services: SigningServices, purpose: KeyPurpose): Promise<SigningKey> {
  const now = services.clock.now();
  const rows = await upToDate(services, purpose);
  // The clock of the server that made the first key may be ahead of this one's.
  const row = rows.find(({ active_at }) => active_at.getTime() <= now) ?? rows.at(-1);
  const opened = row === undefined ? null : await privateKeyOf(services, row);
  if (opened !== null) return opened;
  // The key was unencrypted in an older version, or cannot be decrypted. Its tokens stay valid, and a new key takes over.
  const key = await privateKeyOf(services, await makeKey(services, purpose, rows, now));
  if (key === null) throw new Error('a new signing key does not open');
  return key;
}

/** Makes a new key that signs from now on. Tokens of the old keys stay valid until they expire. */
export async function rotateSigningKey(services: SigningServices, purpose: KeyPurpose): Promise<string> {
  const rows = await load(services, purpose);
  return (await makeKey(services, purpose, rows, services.clock.now())).kid;
}

/** The keys of all tokens that may still be valid, and the keys that will sign soon (RFC 7517). */
export async function publishedKeys(
  services: SigningServices,
  purpose: KeyPurpose,
): Promise<{ readonly keys: readonly JWK[] }> {
  const now = services.clock.now();
  // The caller may have a JWT signed by a key that another process made a moment ago, which this copy lacks.
  ringOf(services.keys).copies.delete(purpose);
  const rows = await upToDate(services, purpose);
  return { keys: rows.filter((row) => endOf(rows, row) + OUTLIVES_MS > now).map(({ jwk }) => jwk) };
}

/**
 * Verifies signatures of this server: of sessions until they expire, of tokens for other apps at any age. Rejects for a key of another
 * server.
 */
export async function verificationKey(
  services: VerificationServices & Pick<Services, 'clock'>,
  purpose: KeyPurpose,
  kid: string | undefined,
): Promise<CryptoKey> {
  const { publicKeys } = ringOf(services.keys);
  const now = services.clock.now();
  const among = (rows: readonly KnownKey[]): KnownKey | undefined =>
    rows.find((row) => row.kid === kid && endOf(rows, row) + KNOWN_MS[purpose] > now);
  const copy = copyOf(services, purpose);
  const found = (copy === null ? undefined : among(copy)) ?? among(await load(services, purpose));
  if (found === undefined) throw new Error('no key of this server');
  const key = publicKeys.get(found.kid) ?? ((await importJWK(found.jwk, ALGORITHM)) as CryptoKey);
  publicKeys.set(found.kid, key);
  return key;
}

/** Deletes private keys that no longer sign, and public keys that no valid token needs. */
export async function sweepSigningKeys(services: VerificationServices & Pick<Services, 'clock'>): Promise<void> {
  const { db, clock } = services;
  for (const purpose of ['apps', 'sessions'] as const) {
    const rows = await knownKeys(services, purpose);
    for (const row of rows) {
      const sinceEnd = clock.now() - endOf(rows, row);
      if (sinceEnd > KNOWN_MS[purpose]) await db.deleteFrom('signing_keys').where('kid', '=', row.kid).execute();
      else if (sinceEnd > OUTLIVES_MS && row.sealed !== null) {
        await db.updateTable('signing_keys').set({ sealed: null }).where('kid', '=', row.kid).execute();
      }
    }
  }
}

/** When a newer key takes over; infinite for the newest. */
function endOf(rows: readonly KnownKey[], { generation }: KnownKey): number {
  const newer = rows.filter((row) => row.generation > generation).map(({ active_at }) => active_at.getTime());
  return Math.min(Number.POSITIVE_INFINITY, ...newer);
}

/** The keys. Makes the first key if there is none, and the next one if the newest is due for replacement. */
async function upToDate(services: SigningServices, purpose: KeyPurpose): Promise<readonly KnownKey[]> {
  const now = services.clock.now();
  const rows = copyOf(services, purpose) ?? (await load(services, purpose));
  // A key from the future comes from a clock that was changed or wrong. Until that time it would keep every other key from being replaced.
  const newest = rows.find(({ created_at }) => created_at.getTime() <= now + DAY_MS);
  if (newest !== undefined && newest.created_at.getTime() + LIFETIME_MS > now) return rows;
  await makeKey(services, purpose, rows, newest === undefined ? now : now + AHEAD_MS);
  return load(services, purpose);
}

async function makeKey(
  services: SigningServices,
  purpose: KeyPurpose,
  before: readonly KnownKey[],
  activeAt: number,
): Promise<KnownKey> {
  if (services.db.isTransaction) makers.add(services.db);
  const key = await insertKey(services, purpose, before, activeAt);
  ringOf(services.keys).copies.delete(purpose);
  return key;
}

function copyOf(
  { keys, clock }: Pick<SigningServices, 'keys' | 'clock'>,
  purpose: KeyPurpose,
): readonly KnownKey[] | null {
  const copy = ringOf(keys).copies.get(purpose);
  return copy !== undefined && Math.abs(clock.now() - copy.at) < COPY_MS[purpose] ? copy.rows : null;
}

async function load(
  services: VerificationServices & Pick<Services, 'clock'>,
  purpose: KeyPurpose,
): Promise<readonly KnownKey[]> {
  const rows = await knownKeys(services, purpose);
  // A transaction that made a key may be rolled back, so the keys that it reads are not cached.
  if (!makers.has(services.db)) ringOf(services.keys).copies.set(purpose, { rows, at: services.clock.now() });
  return rows;
}

async function privateKeyOf(services: Pick<SigningServices, 'keys'>, row: KnownKey): Promise<SigningKey | null> {
  const { privateKeys } = ringOf(services.keys);
  const opened = privateKeys.get(row.kid) ?? (row.sealed === null ? null : await openKey(services, row));
  if (opened !== null) privateKeys.set(row.kid, opened);
  return opened;
}
