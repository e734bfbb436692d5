import { SDKUsageError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** The known name that begins most like a misspelled one, or an empty text when no name has its first three letters. */
export function nearestName(name: string, known: readonly string[]): string {
  for (let length = name.length; length > 2; length -= 1) {
    const start = name.slice(0, length).toLowerCase();
    const found = known.find((other) => other.toLowerCase().startsWith(start));
    if (found !== undefined) return found;
  }
  return '';
}

/** What is wrong with the names of options, or null. A value that is no object has none. */
export function unknownOption(options: unknown, known: readonly string[]): string | null {
  if (!isRecord(options)) return 'must be an object';
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const meant = nearestName(unknown, known);
  return `${unknown} is no option${meant ? `. Did you mean ${meant}?` : `; there are ${known.join(', ')}`}`;
}

/** Throws an SDKUsageError of the client for options that are no object, or for a name that is not known: it would have no effect. */
export function checkNames(at: string, options: unknown, known: readonly string[]): void {
  const wrong = unknownOption(options, known);
  if (wrong !== null) throw new SDKUsageError('PorticoClient', `${at} ${wrong}`);
}
