import { FIELD_NAMES, RULES } from './field-rules.ts';

/** The displayable form of a value: safe values in full, the shape of all others. */
export type RedactedValue =
  | string
  | number
  | boolean
  | null
  | readonly RedactedValue[]
  | { readonly [field: string]: RedactedValue };

/** The form of a value without its content, such as `string(43)` or `object{3}`. */
export function shapeOf(value: unknown): string {
  if (typeof value === 'string') return `string(${value.length})`;
  if (Array.isArray(value)) return `list(${value.length})`;
  if (typeof value === 'object' && value !== null) return `object{${Object.keys(value).length}}`;
  return typeof value;
}

/** The objects whose fields are also shown. All others are shown as `object{n}`. */
const OPENED: ReadonlySet<string> = new Set(['otp', 'message']);

/**
 * The fields of an object, by an allow-list. A field that `field-rules.ts` does not list, or whose value is not one of the expected ones,
 * is shown only by its shape. Names that are not part of this product are only counted, because a host's metadata may use a secret as a
 * name. `undefined` is left out.
 */
export function redactedFields(value: object): { readonly [field: string]: RedactedValue } {
  const entries: [string, RedactedValue][] = [];
  let others = 0;
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    if (field === undefined) continue;
    if (FIELD_NAMES.has(name)) entries.push([name, shownField(name, field)]);
    else others += 1;
  }
  if (others > 0) entries.push(['…', `and ${others} more`]);
  return Object.fromEntries(entries);
}

function shownField(name: string, value: unknown): RedactedValue {
  if (value === null || typeof value === 'boolean') return value;
  const safeValue = RULES.get(name)?.(value);
  if (safeValue !== undefined) return safeValue;
  if (OPENED.has(name) && typeof value === 'object' && !Array.isArray(value)) return redactedFields(value);
  return shapeOf(value);
}
