/** The parsed value; undefined when the text is not JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * True when both are the same JSON value. Keys in `ignoring` are not compared, at any depth. An undefined key equals a
 * missing key.
 */
export function sameJson(a: unknown, b: unknown, ignoring: readonly string[] = []): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const first = a as Record<string, unknown>;
  const second = b as Record<string, unknown>;
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...keys].every((key) => ignoring.includes(key) || sameJson(first[key], second[key], ignoring));
}
