import type { StringOverrides } from './catalogue.ts';

/** Warns of each key of a host's strings that no text stands under, once. The list of keys loads for hosts that need it. */
export function unknownStrings(warn: (message: string) => void): (strings: StringOverrides | undefined) => void {
  const judged = new Set<string>();
  return (strings) => {
    const keys = Object.keys(strings ?? {}).filter((key) => !judged.has(key));
    if (keys.length === 0) return;
    for (const key of keys) judged.add(key);
    const judge = async (): Promise<void> => {
      const { isKnownKey } = await import('./known-keys.ts');
      for (const key of keys) {
        if (!isKnownKey(key)) warn(`strings[${JSON.stringify(key)}] is no text of the widgets and was ignored.`);
      }
    };
    // Without the list nothing is said: no text depends on it.
    judge().catch(() => undefined);
  };
}
