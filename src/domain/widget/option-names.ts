import { SDKUsageError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** The known name with the longest common prefix with a misspelled one; empty when no name shares three letters. */
export function nearestName(name: string, validNames: readonly string[]): string {
  for (let length = name.length; length > 2; length -= 1) {
    const start = name.slice(0, length).toLowerCase();
    const found = validNames.find((other) => other.toLowerCase().startsWith(start));
    if (found !== undefined) return found;
  }
  return '';
}

/** The problem with the names of options, or null. Only objects are checked. */
export function unknownOption(options: unknown, validNames: readonly string[]): string | null {
  if (!isRecord(options)) return 'must be an object';
  const unknown = Object.keys(options).find((name) => !validNames.includes(name));
  if (unknown === undefined) return null;
  const nearest = nearestName(unknown, validNames);
  return `${unknown} is no option${nearest ? `. Did you mean ${nearest}?` : `; there are ${validNames.join(', ')}`}`;
}

/** Throws an SDKUsageError for options that are not an object, or for an unknown name, which would have no effect. */
export function checkNames(at: string, options: unknown, validNames: readonly string[]): void {
  const wrong = unknownOption(options, validNames);
  if (wrong !== null) throw new SDKUsageError('PorticoClient', `${at} ${wrong}`);
}
