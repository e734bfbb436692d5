import { createHmac, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Selectable } from 'kysely';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { SigningKeysTable } from './tables.ts';
import type { Services } from '../services.ts';
import type { ClearKeys } from './clear-keys.ts';
import { seal, unseal } from './seal.ts';
import { sameSecret } from './secrets.ts';

/** The only algorithm of all keys here (RFC 8725, section 3.1): the header of a token cannot choose another. */
export const ALGORITHM = 'RS256';

export type KeyPurpose = SigningKeysTable['purpose'];
export type SigningServices = Pick<Services, 'db' | 'clock' | 'random' | 'keys'>;
export type VerificationServices = Pick<Services, 'db' | 'keys'>;
type Row = Selectable<SigningKeysTable>;
type KeyIdentity = Pick<Row, 'purpose' | 'generation' | 'kid' | 'created_at' | 'active_at'>;

/** A row that this server has authenticated. */
export interface KnownKey extends Omit<Row, 'public_key' | 'mac'> {
  /** The published public key (RFC 7517). */
  readonly jwk: JWK;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** The same key, for signatures made in this thread. */
  readonly keyObject: KeyObject;
}

/** Only the members of an RSA public key, so that nothing else of a row is ever published. */
function publicPart({ kty, n, e }: JWK): JWK {
  return {
    ...(kty === undefined ? {} : { kty }),
    ...(n === undefined ? {} : { n }),
    ...(e === undefined ? {} : { e }),
  };
}

/**
 * Authenticates a row: an attacker who can write to the database cannot add a key, or use a key for another purpose. The key itself is
 * covered by its `kid`, which is its thumbprint (RFC 7638).
 */
function macOf({ signingSecret }: Services['keys'], row: KeyIdentity): string {
  const { purpose, generation, kid, created_at, active_at } = row;
  const key = hkdfSync('sha256', signingSecret, '', 'portico: rows of signing keys', 32);
  const text = JSON.stringify([purpose, generation, kid, created_at.toISOString(), active_at.toISOString()]);
  return createHmac('sha256', new Uint8Array(key)).update(text).digest('base64url');
}

/** The row as a key, or null for one that this server did not write. */
async function keyFromRow(keys: Services['keys'], { public_key, mac, ...row }: Row): Promise<KnownKey | null> {
  if (mac === null || !sameSecret(mac, macOf(keys, row))) return null;
  const open = publicPart(public_key);
  const kid = await calculateJwkThumbprint(open).catch(() => null);
  return kid === row.kid ? { ...row, jwk: { ...open, kid, alg: ALGORITHM, use: 'sig' } } : null;
}

/** The keys of a purpose, newest first; rows that this server did not write are left out. */
export async function knownKeys(services: VerificationServices, purpose: KeyPurpose): Promise<readonly KnownKey[]> {
  return (await readKeys(services, purpose)).keys.filter((key) => key !== null);
}

async function readKeys({ db, keys }: VerificationServices, purpose: KeyPurpose) {
  const rows = await db
    .selectFrom('signing_keys')
    .selectAll()
    .where('purpose', '=', purpose)
    .orderBy('generation', 'desc')
    .execute();
  return { rows, keys: await Promise.all(rows.map((row) => keyFromRow(keys, row))) };
}

const owner = (purpose: KeyPurpose, kid: string): string => `signing key ${purpose} ${kid}`;

/** The next key: made here, or simultaneously by another server. */
export async function insertKey(
  services: SigningServices,
  purpose: KeyPurpose,
  before: readonly KnownKey[],
  activeAt: number,
): Promise<KnownKey> {
  const { db, clock } = services;
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const generation = (before[0]?.generation ?? 0) + 1;
  const row = { purpose, generation, created_at: new Date(clock.now()), active_at: new Date(activeAt) };
  const newRow = await rowOf(services, row, await exportJWK(privateKey), true);
  await removeForeign(services, purpose);
  await db
    .insertInto('signing_keys')
    .values(newRow)
    .onConflict((conflict) => conflict.columns(['purpose', 'generation']).doNothing())
    .execute();
  const [key] = await knownKeys(services, purpose);
  if (key === undefined) throw new Error('a new signing key is not there');
  return key;
}

/** Removes rows that this server did not write. They never sign, but would occupy the place of the next key. */
async function removeForeign(services: SigningServices, purpose: KeyPurpose): Promise<void> {
  const { rows, keys } = await readKeys(services, purpose);
  const foreign = rows.filter((_, place) => keys[place] === null).map(({ kid }) => kid);
  if (foreign.length > 0) await services.db.deleteFrom('signing_keys').where('kid', 'in', foreign).execute();
}

async function rowOf(
  { random, keys }: Pick<SigningServices, 'random' | 'keys'>,
  row: Omit<KeyIdentity, 'kid'>,
  secret: JWK,
  signs: boolean,
) {
  const open = publicPart(secret);
  const kid = await calculateJwkThumbprint(open);
  const sealed = signs ? seal(random, keys.signingSecret, owner(row.purpose, kid), JSON.stringify(secret)) : null;
  return { ...row, kid, public_key: JSON.stringify(open), sealed, mac: macOf(keys, { ...row, kid }) };
}

/** Null for a key that this server cannot decrypt, or whose private and public parts do not match. */
export async function openKey({ keys }: Pick<SigningServices, 'keys'>, key: KnownKey): Promise<SigningKey | null> {
  const { kid, purpose, sealed } = key;
  if (sealed === null) return null;
  try {
    const secret = parseJson(unseal(keys.signingSecret, owner(purpose, kid), sealed));
    if (!isRecord(secret) || (await calculateJwkThumbprint(publicPart(secret))) !== kid) return null;
    const keyObject = createPrivateKey({ key: secret, format: 'jwk' });
    return { kid, privateKey: (await importJWK(secret as JWK, ALGORITHM)) as CryptoKey, keyObject };
  } catch {
    return null;
  }
}

/**
 * Imports, once, the signing keys of a version that did not encrypt keys: tokens that they signed stay valid until they expire. Keys that
 * were unencrypted in the database no longer sign, because copies of it still contain them.
 */
export async function adoptSigningKeys(
  services: SigningServices,
  clear: ClearKeys | null,
  exposed: boolean,
): Promise<void> {
  const { db, clock, random, keys } = services;
  const rows = await db.selectFrom('signing_keys').selectAll().where('mac', 'is', null).execute();
  for (const row of rows) {
    const { purpose, kid, generation } = row;
    const secret = exposed ? null : openedWith(keys.codeKey, row);
    const sealed = secret === null ? null : seal(random, keys.signingSecret, owner(purpose, kid), secret);
    await db
      .updateTable('signing_keys')
      .set({ sealed, mac: macOf(keys, row) })
      .where('purpose', '=', purpose)
      .where('generation', '=', generation)
      .execute();
  }
  if (clear === null) return;
  const now = new Date(clock.now());
  const row = { purpose: 'sessions', generation: 1, created_at: now, active_at: now } as const;
  await db
    .insertInto('signing_keys')
    .values(await rowOf(services, row, clear.signing, !exposed))
    .execute();
}

/** Decrypts a key in the format of that version. */
function openedWith(codeKey: Uint8Array, { kid, sealed }: Row): string | null {
  try {
    return sealed === null ? null : unseal(codeKey, kid, sealed);
  } catch {
    return null;
  }
}
