import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import type { Services } from '../../services.ts';

const ALGORITHM = 'RS256';
const NAME = 'account-tokens';

export interface AccountKeys {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The published key. */
  readonly jwk: JWK;
}

/** The key pair of the built-in account page. It is stored in the database, so that all processes using it accept the same tokens. */
export async function accountKeys(services: Pick<Services, 'db' | 'random' | 'keys'>): Promise<AccountKeys> {
  const secret = (await read(services)) ?? (await make(services));
  const open: JWK = { kty: 'RSA', ...(secret.n && { n: secret.n }), ...(secret.e && { e: secret.e }) };
  return {
    privateKey: (await importJWK(secret, ALGORITHM)) as CryptoKey,
    publicKey: (await importJWK(open, ALGORITHM)) as CryptoKey,
    jwk: { ...open, kid: await calculateJwkThumbprint(open), alg: ALGORITHM, use: 'sig' },
  };
}

async function make(services: Pick<Services, 'db' | 'random' | 'keys'>): Promise<JWK> {
  const { db, random, keys } = services;
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const sealed = seal(random, keys.signingSecret, NAME, JSON.stringify(await exportJWK(privateKey)));
  // Another process may make one at the same moment. All use the first.
  await db
    .insertInto('sealed_keys')
    .values({ name: NAME, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await read(services);
  if (stored === null) throw new Error('the key of the account page is not there');
  return stored;
}

async function read({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<JWK | null> {
  const row = await db.selectFrom('sealed_keys').select('sealed').where('name', '=', NAME).executeTakeFirst();
  if (row === undefined) return null;
  const secret = parseJson(unseal(keys.signingSecret, NAME, row.sealed));
  if (!isRecord(secret)) throw new Error('the key of the account page is damaged');
  return secret;
}
