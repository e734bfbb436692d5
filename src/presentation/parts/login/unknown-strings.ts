import type { StringOverrides } from '../../messages/catalogue.ts';
import { isKnownKey } from '../../messages/known-keys.ts';

/** What each widget was told already. */
const told = new WeakMap<object, Set<string>>();

/** Warns of each key of a host's strings that no text stands under: once for each widget, which `of` stands for. */
export function warnOfUnknown(strings: StringOverrides, of: object, warn: (message: string) => void): void {
  const known = told.get(of) ?? new Set();
  told.set(of, known);
  for (const key of Object.keys(strings)) {
    if (isKnownKey(key) || known.has(key)) continue;
    known.add(key);
    warn(`strings[${JSON.stringify(key)}] is no text of the widgets and was ignored.`);
  }
}
