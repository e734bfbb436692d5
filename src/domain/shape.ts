import { SDKUsageError } from './errors.ts';

/**
 * Describes the shape of an object as data, so that one description gives a request its type, checks a caller's arguments, and
 * checks the request at the provider.
 */

interface Kinds {
  string: string;
  number: number;
  boolean: boolean;
  object: Readonly<Record<string, unknown>>;
  'string[]': readonly string[];
  'object[]': readonly Readonly<Record<string, unknown>>[];
}

export type Kind = keyof Kinds;
/** A kind, followed by `?` when the field is optional. */
export type FieldKind = Kind | `${Kind}?`;
export type Shape = Readonly<Record<string, FieldKind>>;

type RequiredField<S extends Shape> = { [K in keyof S]: S[K] extends Kind ? K : never }[keyof S];
type KindOf<F extends FieldKind> = F extends `${infer K extends Kind}?` ? Kinds[K] : F extends Kind ? Kinds[F] : never;

/** The TypeScript type that a shape describes. */
export type Infer<S extends Shape> = { readonly [K in RequiredField<S>]: KindOf<S[K]> } & {
  readonly [K in Exclude<keyof S, RequiredField<S>>]?: KindOf<S[K]> | undefined;
};

/** A field that does not match its shape. */
export interface WrongField {
  readonly field: string;
  /** For example `code must be a string`. */
  readonly message: string;
}

const NAMES: Record<Kind, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  'string[]': 'an array of strings',
  'object[]': 'an array of objects',
};

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const CHECKS: Record<Kind, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  // JSON has neither NaN nor Infinity.
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: isRecord,
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'object[]': (value) => Array.isArray(value) && value.every(isRecord),
};

/** The value of a field whose getter throws; it never matches a shape. */
const UNREADABLE = Symbol('unreadable');

function own(value: unknown, field: string): unknown {
  try {
    return isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  } catch {
    return UNREADABLE;
  }
}

/** All wrong fields, in the order of the shape. An optional field may be undefined or null. */
export function wrongFields(shape: Shape, value: unknown): readonly WrongField[] {
  const wrong: WrongField[] = [];
  for (const [field, fieldKind] of Object.entries(shape)) {
    const optional = fieldKind.endsWith('?');
    const kind = (optional ? fieldKind.slice(0, -1) : fieldKind) as Kind;
    const actual = own(value, field);
    if (optional && (actual === undefined || actual === null)) continue;
    if (!CHECKS[kind](actual)) wrong.push({ field, message: `${field} must be ${NAMES[kind]}` });
  }
  return wrong;
}

/** True when the value has every field of the shape. Additional fields are allowed. */
export function hasShape<S extends Shape>(shape: S, value: unknown): value is Infer<S> {
  return isRecord(value) && wrongFields(shape, value).length === 0;
}

/** Throws an SDKUsageError that names the first wrong argument (specification, section 5). Nothing has been sent then. */
export function checkArguments(method: string, shape: Shape, values: unknown): void {
  const wrong = wrongFields(shape, values)[0];
  if (wrong) throw new SDKUsageError(method, wrong.message);
}

/** Throws an SDKUsageError if the callback of a method that subscribes is no function. */
export function checkCallback(method: string, callback: unknown): void {
  if (typeof callback !== 'function') throw new SDKUsageError(method, 'callback must be a function');
}
