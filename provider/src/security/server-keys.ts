import { readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { hasShape, isRecord, type Shape } from '../../../src/domain/shape.ts';
import { parseJson } from '../../../src/domain/json.ts';
import { transaction } from '../db/transaction.ts';
import type { Db } from '../db/tables.ts';

/** What this server alone knows; made at its first start. */
export interface ServerKeys {
  readonly signing: { readonly kid: string; readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
  /** Hashes passcodes. */
  readonly codeKey: Uint8Array;
  /** RFC 7517. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

interface StoredKeys {
  readonly signing: JWK;
  readonly code: string;
}

const STORED = { signing: 'object', code: 'string' } as const satisfies Shape;

async function make(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const stored: StoredKeys = {
    signing: await exportJWK(privateKey),
    code: randomBytes(32).toString('base64url'),
  };
  return JSON.stringify(stored);
}

async function keysFrom(text: string): Promise<ServerKeys> {
  const stored = parseJson(text);
  if (!hasShape(STORED, stored) || !isRecord(stored.signing)) throw new Error('the stored server keys are damaged');
  const secret = stored.signing as JWK;
  const { kty, n, e } = secret;
  const open: JWK = {
    ...(kty === undefined ? {} : { kty }),
    ...(n === undefined ? {} : { n }),
    ...(e === undefined ? {} : { e }),
  };
  const kid = await calculateJwkThumbprint(open);
  return {
    signing: {
      kid,
      privateKey: (await importJWK(secret, 'RS256')) as CryptoKey,
      publicKey: (await importJWK(open, 'RS256')) as CryptoKey,
    },
    codeKey: Buffer.from(stored.code, 'base64url'),
    jwks: { keys: [{ ...open, kid, alg: 'RS256', use: 'sig' }] },
  };
}

/** New keys that nothing keeps: for a store in memory. */
export async function temporaryKeys(): Promise<ServerKeys> {
  return keysFrom(await make());
}

/** The keys beside the database, not in it: a copy of the database alone reveals no passcode and signs nothing. */
export async function keysInFile(path: string): Promise<ServerKeys> {
  let text: string | null = null;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    text = await make();
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true });
  }
  return keysFrom(text);
}

/** The keys in the database, for servers that share one. The first server's keys win. */
export async function keysInDatabase(db: Db): Promise<ServerKeys> {
  const find = (from: Db) =>
    from.selectFrom('server_keys').select('value').where('name', '=', 'keys').executeTakeFirst();
  const known = await find(db);
  if (known !== undefined) return keysFrom(known.value);
  const made = await make();
  const stored = await transaction(db, async (tx) => {
    await tx
      .insertInto('server_keys')
      .values({ name: 'keys', value: made })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return find(tx);
  });
  return keysFrom(stored?.value ?? made);
}
