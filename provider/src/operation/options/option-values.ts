import { isQuoted, readSecretFile } from '#provider/project/readers/secret-text.ts';
import { OPTIONS, type OptionName, type OptionSpec } from './option-table.ts';
import type { FlagValues } from './parser.ts';
import { UsageError } from '#provider/base/usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of an option, and the flag or variable that it came from, for messages. */
export interface OptionValue {
  readonly text: string;
  readonly from: string;
  readonly isFlag: boolean;
}

export type OptionValues<Name extends OptionName = OptionName> = { readonly [N in Name]?: OptionValue };

/** The values of these options, from the flag or else the variable. An empty variable counts as unset, which containers need. */
export function givenFrom<Name extends OptionName>(
  names: readonly Name[],
  flags: FlagValues,
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
  const text = (env[variable] ?? '').trim();
  const fileVariable = `${variable}_FILE`;
  const path = isSecret ? (env[fileVariable] ?? '').trim() : '';
  if (text !== '' && path !== '') throw new UsageError(`Set ${variable} or ${fileVariable}, not both.`);
  const quoted = [variable, fileVariable].find((name) => isQuoted((env[name] ?? '').trim()));
  if (quoted !== undefined) throw new UsageError(`${quoted} has quotes around its value: leave them out.`);
  if (text !== '') return { text, from: variable, isFlag: false };
  if (path === '') return null;
  try {
    return { text: readSecretFile(path), from: fileVariable, isFlag: false };
  } catch (error) {
    throw new UsageError(`${fileVariable} names ${path}: ${error instanceof Error ? error.message : ''}.`);
  }
}
