import { hasText, type Locale, type StringOverrides } from '../../messages/catalogue.ts';

/** What each widget has been warned of. */
const warned = new WeakMap<object, Set<string>>();

/** Warns of each key of a host's strings that is unknown: once for each widget, which `of` stands for. */
export async function warnOfUnknown(
  strings: StringOverrides,
  of: object,
  warn: (message: string) => void,
): Promise<void> {
  const before = warned.get(of) ?? new Set();
  warned.set(of, before);
  const doubtful = Object.keys(strings).filter((key) => !hasText(key) && !before.has(key));
  if (doubtful.length === 0) return;
  for (const key of doubtful) before.add(key);
  // A language has a text under every key there is, and any of them is one file; the English texts are spread over the parts.
  const { es }: { readonly es: Locale } = await import('../../messages/locales/es.ts');
  for (const key of doubtful) {
    if (!Object.hasOwn(es, key)) warn(`strings[${JSON.stringify(key)}] is no text of the widgets and was ignored.`);
  }
}
