import { isEmailAddress } from '#server-rules/accounts.ts';
import { isRecord } from '#domain/shape.ts';

/** Objects in lists of objects are as deep as addresses are. */
const DEPTH = 3;
const MOST_LETTERS = 320;

/** The first email address of a record, in the order of its fields; null for none. */
export function addressIn(value: unknown, depth = DEPTH): string | null {
  if (typeof value === 'string') {
    const text = value.trim().replace(/^'/u, '');
    return text.length <= MOST_LETTERS && text.includes('@') && isEmailAddress(text) ? text : null;
  }
  if (depth === 0 || (!isRecord(value) && !Array.isArray(value))) return null;
  for (const each of Object.values(value)) {
    const found = addressIn(each, depth - 1);
    if (found !== null) return found;
  }
  return null;
}
