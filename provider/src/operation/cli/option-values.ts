import { parseArgs } from 'node:util';
import { readSecretFile } from '../../project/secret-text.ts';
import { OPTIONS, type OptionName, type OptionSpec } from './option-table.ts';
import { UsageError } from '../../base/usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of an option, and the flag or variable that it came from, for messages. */
export interface OptionValue {
  readonly text: string;
  readonly from: string;
  readonly isFlag: boolean;
}

export type OptionValues<Name extends OptionName = OptionName> = { readonly [N in Name]?: OptionValue };

export type Flags = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly multiple?: boolean }>>;
export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** `parseArgs`, with its error as one sentence. */
export function parseFlags(
  args: readonly string[],
  options: Flags,
  allowPositionals = false,
): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    throw explained(error);
  }
}

/** The flags of these options, for `parseFlags`. */
export function flagsOf(names: readonly OptionName[]): Flags {
  const specs = names.map((name): OptionSpec => OPTIONS[name]);
  return Object.fromEntries(
    specs.flatMap(({ flag, argument }) =>
      flag === undefined ? [] : [[flag, { type: argument === undefined ? ('boolean' as const) : ('string' as const) }]],
    ),
  );
}

/** The values of these options: the flag if there is one, else the variable. A variable that is empty is not set, as containers need. */
export function givenFrom<Name extends OptionName>(
  names: readonly Name[],
  flags: Values,
  env: Environment,
): OptionValues<Name> {
  const entries = names.flatMap((name): [Name, OptionValue][] => {
    const { flag, variable, isSecret }: OptionSpec = OPTIONS[name];
    const value = flag === undefined ? undefined : flags[flag];
    if (value !== undefined)
      return [[name, { text: value === true ? '1' : String(value), from: `--${flag}`, isFlag: true }]];
    const found = variable === undefined ? null : fromEnvironment(variable, isSecret === true, env);
    return found === null ? [] : [[name, found]];
  });
  return Object.fromEntries(entries) as OptionValues<Name>;
}

function fromEnvironment(variable: string, isSecret: boolean, env: Environment): OptionValue | null {
  const text = env[variable] ?? '';
  const fileVariable = `${variable}_FILE`;
  const path = isSecret ? (env[fileVariable] ?? '') : '';
  if (text !== '' && path !== '') throw new UsageError(`Set ${variable} or ${fileVariable}, not both.`);
  if (text !== '') return { text, from: variable, isFlag: false };
  if (path === '') return null;
  try {
    return { text: readSecretFile(path), from: fileVariable, isFlag: false };
  } catch (error) {
    throw new UsageError(`${fileVariable} names ${path}: ${error instanceof Error ? error.message : ''}.`);
  }
}

/** The first sentence of an error of `parseArgs`, as a UsageError. */
function explained(error: unknown): UsageError {
  const [sentence = 'The arguments are wrong'] = (error instanceof Error ? error.message : String(error)).split('. ');
  // A database URL in the wrong place would show its password.
  const told = sentence.replaceAll(/'[^']*:\/\/[^']*'/gu, "'…'");
  return new UsageError(`${told.replace(/\.$/u, '')}.`);
}
