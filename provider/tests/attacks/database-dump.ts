import { sql } from 'kysely';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Fields } from '../kit/harness.ts';

/** The knowledge of an attacker who reads the database or a backup, and knows this program. */
export interface Dump {
  readonly tables: Readonly<Record<string, readonly Fields[]>>;
  /** Every value of every column of every row. */
  readonly text: string;
}

/** Reads every column of every table, except messages that wait for delivery, which contain their codes. */
export async function dumpOf(db: Db): Promise<Dump> {
  const names = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name <> 'outbox'`.execute(db);
  const tables: Record<string, readonly Fields[]> = {};
  for (const { name } of names.rows) {
    const rows = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db);
    tables[name] = rows.rows.map(({ row }) => JSON.parse(row) as Fields);
  }
  return { tables, text: JSON.stringify(tables) };
}

/** Every value, including those within JSON texts. */
function* valuesIn(value: unknown): Generator {
  yield value;
  const inner = typeof value === 'string' && /^[[{]/u.test(value) ? parseJson(value) : value;
  if (Array.isArray(inner) || isRecord(inner)) for (const each of Object.values(inner)) yield* valuesIn(each);
  if (inner !== value) yield inner;
}

/** The unencrypted private keys. */
export function privateKeysIn({ tables }: Dump): readonly Fields[] {
  return [...valuesIn(tables)].filter((value): value is Fields => isRecord(value) && 'kty' in value && 'd' in value);
}

/** The texts that could be a secret. */
export function wordsIn({ tables }: Dump): readonly string[] {
  const texts = [...valuesIn(tables)].filter((value) => typeof value === 'string');
  return [...new Set(texts.flatMap((text) => text.match(/[\w+/=.-]{20,}/gu) ?? []))];
}

/** The texts that could be a symmetric key, as bytes. */
export function symmetricKeysIn(dump: Dump): readonly Uint8Array[] {
  const decoded = wordsIn(dump).flatMap((word) => [Buffer.from(word, 'base64url'), Buffer.from(word, 'hex')]);
  const halves = decoded.filter(({ length }) => length >= 32).map((bytes) => bytes.subarray(0, 32));
  return [...decoded.filter(({ length }) => length === 32), ...halves];
}
