import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean } from '#domain/widget/meant-name.ts';

/** A mistake in the command or in a file that it names. */
export class CommandError extends Error {}

/** Throws for the first unknown flag. The platform's own message suggests a positional argument. */
export function checkFlags(args: readonly string[], flags: NonNullable<ParseArgsConfig['options']>): void {
  const { tokens } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(flags, token.name));
  if (unknown?.kind !== 'option') return;
  const names = Object.keys(flags).map((name) => `--${name}`);
  const question = didYouMean(unknown.rawName, names);
  throw new CommandError(`There is no ${unknown.rawName}.${question || ` There are ${names.join(', ')}.`}`);
}
