import { isRecord } from '#domain/shape.ts';
import { Refusal } from '#domain/rules/refusal.ts';

type Metadata = Readonly<Record<string, unknown>>;
/** Refuses a value that does not fulfil this, such as `be Unicode without NUL`. */
export type Refuse = (must: string) => never;

const MAX_BYTES = 4096;
const MAX_DEPTH = 16;
/** Keys that could change an object's prototype in a careless copy. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** The characters that PostgreSQL cannot store: NUL, and a lone surrogate. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** The fields of users and clients that contain such JSON. */
type MetadataField = 'trusted_metadata' | 'untrusted_metadata';

/**
 * The metadata merged with the given metadata, by top-level keys; null removes a key. Throws a Refusal for metadata that must not be
 * stored.
 *
 * @param field the name of the field, for the error
 */
export function mergeMetadata(before: Metadata, changes: Metadata, field: MetadataField): Metadata {
  return mergeJson(before, changes, (must) => {
    throw new Refusal('invalid_metadata', `${field} must ${must}.`, undefined, { field });
  });
}

interface JsonSize {
  /** The maximum size of the result, as JSON in UTF-8 bytes. */
  readonly most?: number;
  /** The reason for this maximum. */
  readonly because?: string;
}

/** Like `mergeMetadata`, with a Refusal of the caller. */
export function mergeJson(
  before: Metadata,
  changes: Metadata,
  refuse: Refuse,
  { most = MAX_BYTES, because = '' }: JsonSize = {},
): Metadata {
  checkValue(changes, 1, refuse);
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const after = Object.fromEntries(merged);
  const bytes = new TextEncoder().encode(JSON.stringify(after)).length;
  if (bytes > most) refuse(`be at most ${most} bytes of JSON${because}; these are ${bytes}`);
  return after;
}

function checkValue(value: unknown, depth: number, refuse: Refuse): void {
  if (typeof value === 'string') checkText(value, refuse);
  // JSON can contain numbers that JavaScript reads as Infinity and writes as null.
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('have no number beyond 1.8e308');
  if (Array.isArray(value)) {
    checkDepth(depth, refuse);
    for (const item of value) checkValue(item, depth + 1, refuse);
  } else if (isRecord(value)) {
    checkDepth(depth, refuse);
    for (const [key, item] of Object.entries(value)) {
      checkText(key, refuse);
      if (FORBIDDEN.has(key)) refuse(`not have the key ${key}`);
      checkValue(item, depth + 1, refuse);
    }
  }
}

function checkDepth(depth: number, refuse: Refuse): void {
  if (depth > MAX_DEPTH) refuse(`be nested at most ${MAX_DEPTH} deep`);
}

function checkText(text: string, refuse: Refuse): void {
  if (UNSTORABLE.test(text)) refuse('be Unicode without NUL');
}
