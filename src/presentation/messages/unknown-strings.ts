import type { StringOverrides } from './catalogue.ts';

/** What each widget was told already. */
const told = new WeakMap<object, Set<string>>();

/** Warns of each key of a host's strings that no text stands under: once for each widget, which `of` stands for. */
export async function warnOfUnknown(
  strings: StringOverrides,
  of: object,
  warn: (message: string) => void,
): Promise<void> {
  // Every language has every text, or it does not compile.
  const { de } = await import('./locales/de.ts');
  const known = told.get(of) ?? new Set();
  told.set(of, known);
  for (const key of Object.keys(strings)) {
    if (Object.hasOwn(de, key) || known.has(key)) continue;
    known.add(key);
    warn(`strings[${JSON.stringify(key)}] is no text of the widgets and was ignored.`);
  }
}
