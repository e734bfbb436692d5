import { parseJson } from '#domain/json.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { mergeMetadata } from '#server-rules/metadata.ts';
import type { Loss } from './vendor.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The names under which exports have a field, by our name of it. The first that has a value counts. */
export type FieldTable = Readonly<Record<string, readonly string[]>>;

export type Values<T extends FieldTable> = { readonly [K in keyof T]: unknown };

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The values of a record by the table of its fields; undefined for a field that is missing, null or an empty cell. */
export function valuesOf<const T extends FieldTable>(table: T, fields: Fields): Values<T> {
  const entries = Object.entries(table).map(([name, names]) => {
    const found = names.find((each) => !isEmpty(fields[each]));
    return [name, found === undefined ? undefined : fields[found]] as const;
  });
  return Object.fromEntries(entries) as unknown as Values<T>;
}

/** A text without the space around it; null for a value that is none. Exports write some ids as numbers. */
export function textFrom(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** True for a flag of JSON or of a cell. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|t|yes|1)$/iu.test(value.trim()));
}

/** The JSON in a cell; a value of JSON itself. */
export function jsonFrom(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value;
}

export function recordFrom(value: unknown): Fields {
  const json = jsonFrom(value);
  return isRecord(json) ? json : {};
}

/** The objects of a list. */
export function recordsFrom(value: unknown): readonly Fields[] {
  const json = jsonFrom(value);
  return Array.isArray(json) ? json.filter((item): item is Fields => isRecord(item)) : [];
}

/** The texts of a list, or of a cell that separates them by these characters. */
export function textsFrom(value: unknown, separators = /[|,]/u): readonly string[] {
  const list = Array.isArray(value)
    ? (value as readonly unknown[])
    : typeof value === 'string'
      ? value.split(separators)
      : [];
  return list.map((item) => textFrom(item)).filter((item) => item !== null);
}

/** 1973 in milliseconds, and the year 5138 in seconds. */
const LEAST_MILLISECONDS = 1e11;
const LAST = Date.UTC(2100, 0);

/** A time of an export in ISO 8601 with a zone: from a text, or from seconds or milliseconds. A text without a zone is in UTC. */
export function timeFrom(value: unknown): string | null {
  const text = textFrom(value);
  if (text === null) return null;
  const ms = /^\d+(?:\.\d+)?$/u.test(text) ? msOfNumber(Number(text)) : msOfText(text);
  return ms > 0 && ms < LAST ? new Date(ms).toISOString() : null;
}

function msOfNumber(count: number): number {
  return count < LEAST_MILLISECONDS ? count * 1000 : count;
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?)? ?(?:UTC|(Z)|([+-]\d\d):?(\d\d)?)?$/iu;

function msOfText(text: string): number {
  const [, day, time = '00:00', fraction = '', , hours, minutes = '00'] = TIME.exec(text) ?? [];
  if (day === undefined) return Date.parse(text);
  return Date.parse(`${day}T${time}${fraction.slice(0, 4)}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

/** Of a part of a name. */
const MOST_NAME = 128;

/** A text that is not too long for a name. A character may have two units. */
function nameText(value: unknown): string | null {
  const text = textFrom(value);
  return text === null || text.length <= MOST_NAME
    ? text
    : Array.from(text)
        .slice(0, MOST_NAME / 2)
        .join('');
}

/** A name of parts. Without them, a name for display is the first part: where it divides is not known. */
export function nameFrom(parts: Readonly<Record<'first' | 'middle' | 'last' | 'display', unknown>>): Fields {
  const [first, middle, last] = [parts.first, parts.middle, parts.last].map((part) => nameText(part));
  const display = nameText(parts.display);
  if (first === null && last === null && display !== null) return { first_name: display };
  return withoutEmpty({ first_name: first, middle_name: middle, last_name: last });
}

export interface Metadata {
  readonly value: Fields;
  readonly losses: readonly Loss[];
}

/** Metadata that this server can store; else none, and the loss. */
export function metadataFrom(value: unknown, field: 'trusted_metadata' | 'untrusted_metadata'): Metadata {
  const fields = recordFrom(value);
  try {
    return { value: mergeMetadata({}, fields, field), losses: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { value: {}, losses: [{ what: 'metadata', reason: 'it is larger or deeper than this server stores' }] };
  }
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

/** The fields that say something: an absent field of a line has its default. */
export function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));
}

/** Our user id, if the old system has ids of the same form; else its id is the external one. */
export function idFields(id: string): Fields {
  const isOurs = /^user-(?:test|live)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);
  return isOurs ? { user_id: id } : { external_id: id };
}

interface Contact {
  readonly value: string;
  readonly verified: boolean;
}

/** Each address once: one that differs only in case is the same, and verified if either is. */
export function emailsFrom(contacts: readonly Contact[]): readonly Fields[] {
  return distinct(contacts, (value) => value.toLowerCase()).map(({ value: email, verified }) => ({ email, verified }));
}

/** Each number once, without the spaces and hyphens between its digits. */
export function numbersFrom(contacts: readonly Contact[]): readonly Fields[] {
  const plain = contacts.map((contact) => ({ ...contact, value: contact.value.replaceAll(/[\s().-]/gu, '') }));
  return distinct(plain, (value) => value).map(({ value, verified }) => ({ phone_number: value, verified }));
}

function distinct(contacts: readonly Contact[], keyOf: (value: string) => string): readonly Contact[] {
  const byKey = new Map<string, Contact>();
  for (const contact of contacts) {
    const before = byKey.get(keyOf(contact.value));
    if (before === undefined || (contact.verified && !before.verified)) byKey.set(keyOf(contact.value), contact);
  }
  return [...byKey.values()];
}
