import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { bytesOf } from './bytes.ts';
import { timeOf } from './times.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A field that cannot be read. The message names it and the remedy, but not its value, which may be a secret. */
export class FieldFault extends Error {
  /** @param reason the same without the place of the row, as the end of a sentence about what has the field */
  constructor(
    message: string,
    readonly reason = message,
  ) {
    super(message);
  }
}

/** `userId`, `user_id` and `User ID` are one field: the tools that map tables to code spell columns as they like. */
const folds = new Map<string, string>();
function fold(name: string): string {
  const folded = folds.get(name);
  if (folded !== undefined) return folded;
  const plain = name.toLowerCase().replaceAll(/[_\s"]/gu, '');
  // The names of metadata are those of users, and without an end.
  if (folds.size < 10_000) folds.set(name, plain);
  return plain;
}

/** The texts by which tables stand for no value. */
const NONE: ReadonlySet<unknown> = new Set([String.raw`\N`, 'NULL', null, undefined]);
const isNone = (value: unknown): boolean => NONE.has(value) || (typeof value === 'string' && value.trim() === '');

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...['true', 't', 'yes', 'y', '1', 1, true].map((value) => [value, true] as const),
  ...['false', 'f', 'no', 'n', '0', 0, false].map((value) => [value, false] as const),
]);

/** The names of the values, as they are and folded, by which a table can be recognised. */
export function namesOf(values: Values): ReadonlySet<string> {
  return new Set(Object.keys(values).flatMap((name) => [name, fold(name)]));
}

/** A row whose values are of the right type, or texts that stand for them. */
export class Row {
  private readonly fields = new Map<string, unknown>();

  /** @param place its place, for an error: ` of row 3 of accounts.csv`, or empty for the main record */
  constructor(
    readonly values: Values,
    private readonly place = '',
  ) {
    for (const [name, value] of Object.entries(values)) this.fields.set(fold(name), value);
  }

  /** Whether the row has the column, even if it is empty. */
  has(name: string): boolean {
    return this.fields.has(fold(name));
  }

  /** The values of the columns that are not in the list, without empty ones. */
  others(names: readonly string[]): Values {
    const own = new Set(names.map(fold));
    const entries = Object.entries(this.values).filter(([name, value]) => !own.has(fold(name)) && !isNone(value));
    return Object.fromEntries(entries);
  }

  /** The values of the columns whose names begin so, without the beginning and without empty ones. */
  under(start: string): Values {
    const entries = Object.entries(this.values).filter(([name, value]) => name.startsWith(start) && !isNone(value));
    return Object.fromEntries(entries.map(([name, value]) => [name.slice(start.length), value]));
  }

  fault(name: string, must: string): FieldFault {
    return new FieldFault(`${name}${this.place} must be ${must}`, `its ${name} must be ${must}`);
  }

  /** The value as it is; null for none. */
  value(name: string): unknown {
    const value = this.fields.get(fold(name));
    return isNone(value) ? null : value;
  }

  /** The text of the first column that has a value. */
  text(...names: readonly string[]): string | null {
    const name = names.find((each) => this.value(each) !== null);
    if (name === undefined) return null;
    const value = this.value(name);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    // An id of MongoDB.
    const oid = isRecord(value) ? value['$oid'] : undefined;
    if (typeof oid === 'string') return oid;
    const must = typeof value === 'number' ? 'a text, because the number is too long for JSON' : 'a text';
    throw this.fault(name, must);
  }

  requiredText(name: string): string {
    const text = this.text(name);
    if (text === null) throw this.fault(name, 'there: export all columns of the table');
    return text;
  }

  flag(name: string): boolean | null {
    const value = this.value(name);
    if (value === null) return null;
    const flag = FLAGS.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
    if (flag === undefined) throw this.fault(name, 'true or false, t or f, or 1 or 0');
    return flag;
  }

  /** In milliseconds since 1970. */
  time(name: string): number | null {
    const value = this.value(name);
    if (value === null) return null;
    const date = isRecord(value) ? (value['$date'] ?? value) : value;
    const text = isRecord(date) ? date['$numberLong'] : date;
    const time = typeof text === 'string' || typeof text === 'number' ? timeOf(text) : undefined;
    if (time === undefined) throw this.fault(name, 'a time such as 2026-01-31T12:00:00Z or 2026-01-31 12:00:00+00');
    return time;
  }

  /** A whole number from 0 on. */
  count(name: string): number | null {
    const value = this.value(name);
    if (value === null) return null;
    const text = isRecord(value) ? value['$numberLong'] : value;
    const number = typeof text === 'string' && /^\d{1,15}$/u.test(text) ? Number(text) : text;
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
    throw this.fault(name, 'a whole number');
  }

  /** A value that is JSON, or the text of it in a cell. */
  json(name: string): unknown {
    const value = this.value(name);
    if (typeof value !== 'string') return value;
    const parsed = parseJson(value);
    if (parsed === undefined) throw this.fault(name, 'JSON');
    return parsed;
  }

  /** A JSON object; empty for none. */
  object(name: string): Values {
    const value = this.json(name) ?? {};
    if (!isRecord(value)) throw this.fault(name, 'a JSON object');
    return value;
  }

  /** The objects of a JSON array; empty for none. */
  objects(name: string): readonly Values[] {
    const value = this.json(name) ?? [];
    if (!Array.isArray(value) || !value.every(isRecord)) throw this.fault(name, 'a JSON array of objects');
    return value;
  }

  /** The objects of a JSON array as rows, whose errors name both. */
  rows(name: string): readonly Row[] {
    return this.objects(name).map((values) => this.within(name, values));
  }

  /** An object in this one, whose errors name both. */
  within(name: string, values: Values = this.object(name)): Row {
    return new Row(values, ` in ${name}${this.place}`);
  }

  /** Texts in a JSON array, an array of PostgreSQL, or with commas or bars between them. */
  texts(name: string): readonly string[] {
    const value = this.value(name);
    const list = typeof value === 'string' ? splitTexts(value) : (value ?? []);
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
      throw this.fault(name, 'a list of texts');
    }
    return list;
  }

  /** Base64url. */
  requiredBytes(name: string): string {
    const bytes = this.value(name) === null ? undefined : bytesOf(this.value(name));
    if (bytes === undefined || bytes.length === 0) {
      throw this.fault(name, 'bytes in base64 or in the hexadecimal form of PostgreSQL');
    }
    return bytes.toString('base64url');
  }
}

function splitTexts(text: string): unknown {
  const json = text.startsWith('[') ? parseJson(text) : undefined;
  if (json !== undefined) return json;
  return text
    .replace(/^\{(.*)\}$/u, '$1')
    .split(/[,|]/u)
    .map((item) => item.trim().replace(/^"(.*)"$/u, '$1'))
    .filter((item) => item !== '');
}
