import { isRecord } from '../shape.ts';
import { Refusal, type RefusalType } from './refusal.ts';

type Metadata = Readonly<Record<string, unknown>>;
type Refuse = (message?: string) => never;

const MAX_BYTES = 4096;
const MAX_DEPTH = 16;
/** Keys that reach an object's prototype in whatever copies it carelessly. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** The characters that PostgreSQL cannot store: NUL, and a lone surrogate. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** The metadata with what is given over it, by top-level keys: null removes one. Refuses what should not be kept. */
export function mergeMetadata(before: Metadata, given: Metadata): Metadata {
  return mergeJson(before, given, 'Metadata', 'invalid_metadata');
}

/** As `mergeMetadata`, refused with this type and under this name. */
export function mergeJson(before: Metadata, given: Metadata, name: string, type: RefusalType): Metadata {
  const refuse: Refuse = (message) => {
    throw new Refusal(type, message === undefined ? undefined : `${name} must ${message}.`);
  };
  checkValue(given, 1, refuse);
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(given)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const after = Object.fromEntries(merged);
  if (new TextEncoder().encode(JSON.stringify(after)).length > MAX_BYTES) refuse();
  return after;
}

function checkValue(value: unknown, depth: number, refuse: Refuse): void {
  if (typeof value === 'string') checkText(value, refuse);
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
  if (depth > MAX_DEPTH) refuse();
}

function checkText(text: string, refuse: Refuse): void {
  if (UNSTORABLE.test(text)) refuse('be Unicode without NUL');
}
