import { isRecord } from '../shape.ts';
import { Refusal } from './refusal.ts';

type Metadata = Readonly<Record<string, unknown>>;

const MAX_BYTES = 4096;
const MAX_DEPTH = 16;
/** Keys that reach an object's prototype in whatever copies it carelessly. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** The characters that PostgreSQL cannot store: NUL, and a lone surrogate. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** The metadata with what is given over it, by top-level keys: null removes one. Refuses what should not be kept. */
export function mergeMetadata(before: Metadata, given: Metadata): Metadata {
  checkValue(given, 1);
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(given)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const after = Object.fromEntries(merged);
  if (new TextEncoder().encode(JSON.stringify(after)).length > MAX_BYTES) throw new Refusal('invalid_metadata');
  return after;
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value);
  if (Array.isArray(value)) {
    checkDepth(depth);
    for (const item of value) checkValue(item, depth + 1);
  } else if (isRecord(value)) {
    checkDepth(depth);
    for (const [key, item] of Object.entries(value)) {
      checkText(key);
      if (FORBIDDEN.has(key)) throw new Refusal('invalid_metadata', `Metadata must not have the key ${key}.`);
      checkValue(item, depth + 1);
    }
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new Refusal('invalid_metadata');
}

function checkText(text: string): void {
  if (UNSTORABLE.test(text)) throw new Refusal('invalid_metadata', 'Metadata must be Unicode without NUL.');
}
