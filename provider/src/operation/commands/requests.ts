import { Option, type Command } from 'commander';
import type { CommandSyntax, OperatorCommand } from '../operators/desk/command.ts';
import { COMMANDS } from './commands.ts';
import { LOCATION_OPTIONS, locationFrom, type DataLocation } from '../options/data-location.ts';
import type { LocalCommand } from './local-command.ts';
import { refuseMistakenDatabase } from '../options/mistaken-database.ts';
import { OPTIONS, type OptionSpec } from '../options/option-table.ts';
import { givenFrom, type Environment, type OptionValues } from '../options/option-values.ts';
import { ALL_OPTIONS } from '../options/options.ts';
import {
  addServerOptions,
  flagOf,
  flagValues,
  optionFor,
  parserFor,
  type FlagValues,
  type Parser,
} from '../options/parser.ts';
import { versionText } from '../server/version.ts';

export interface OperatorRequest extends DataLocation {
  readonly kind: 'operator';
  /** Such as `users list`. */
  readonly name: string;
  readonly command: OperatorCommand;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  /** True to skip the question before the command. */
  readonly yes: boolean;
  /** The person who runs the command, for the audit log; null means the user of this machine. */
  readonly by: string | null;
}

interface LocalRequest {
  readonly kind: 'local';
  readonly command: LocalCommand;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly options: OptionValues;
}

/** The help or the version. */
interface TextRequest {
  readonly kind: 'text';
  readonly text: string;
}

export type CommandRequest = OperatorRequest | LocalRequest | TextRequest;

/** The fields that are options on the command line. The lines of a file are not an option. */
function entered({ fields }: CommandSyntax) {
  return Object.entries(fields).filter(([, { type }]) => type !== 'object[]');
}

/** The syntax of a command after its name: `USER [--yes]`. */
function usageOf(command: OperatorCommand | LocalCommand): string {
  const [required, optional]: [string[], string[]] = [[], []];
  for (const [name, field] of entered(command)) {
    const { flags, mandatory } = optionFor(name, field);
    if (name === command.argument) required.unshift(argumentOf(command));
    else if (mandatory) required.push(flags.replaceAll(/[<>]/gu, ''));
    else optional.push(`[${flags.replaceAll(/[<>]/gu, '')}]`);
  }
  if (command.kind === 'operator' && command.question !== undefined) optional.push('[--yes]');
  return [...required, ...optional].join(' ');
}

/** The argument of a command, in brackets if it is optional. Only on the command line, an import has a file name as its argument. */
function argumentOf({ kind, argument = '', fields }: OperatorCommand | LocalCommand): string {
  const isOptional = kind === 'local' && fields[argument]?.type.endsWith('?') === true;
  return isOptional ? `[${flagOf(argument).toUpperCase()}]` : flagOf(argument).toUpperCase();
}

function addFields(parsed: Command, command: OperatorCommand | LocalCommand): void {
  parsed.description(command.help).usage(usageOf(command) || '[options]');
  for (const [name, field] of entered(command)) {
    if (name === command.argument) parsed.argument(argumentOf(command).replace(/^\w+$/u, '<$&>'), field.help);
    else parsed.addOption(optionFor(name, field));
  }
}

function fieldsFrom(command: CommandSyntax, flags: FlagValues, [word]: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name] of entered(command)) {
    const value = name === command.argument ? word : flags[flagOf(name)];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** The origin of the operators' page, from the variables that configure it for the server. An empty variable counts as unset. */
function originOfPage(env: Environment): string | undefined {
  const { PORTICO_OPERATORS_ORIGIN: origin = '', PORTICO_OPERATORS_PORT: port = '' } = env;
  if (origin !== '') return origin;
  return port === '' || port === '0' ? undefined : `http://localhost:${port}`;
}

function addOperatorCommand({ add }: Parser, name: string, command: OperatorCommand): Command {
  const parsed = add(name);
  addFields(parsed, command);
  parsed.option('--json', 'prints a JSON object in each line');
  parsed.addOption(new Option('--yes', 'does it without a question').hideHelp(command.question === undefined));
  if (!Object.hasOwn(command.fields, 'by')) parsed.option('--by <NAME>', 'who runs the command, for the audit log');
  addServerOptions(parsed, LOCATION_OPTIONS);
  return parsed;
}

function operatorRequest(
  name: string,
  command: OperatorCommand,
  parsed: Command,
  words: readonly string[],
  env: Environment,
): OperatorRequest {
  const flags = flagValues(parsed, words);
  const fields = fieldsFrom(command, flags, parsed.args);
  if (Object.hasOwn(command.fields, 'origin')) fields['origin'] ??= originOfPage(env);
  const { json, yes, by } = flags;
  const options = givenFrom(LOCATION_OPTIONS, flags, env);
  refuseMistakenDatabase(options, env);
  return {
    ...locationFrom(options),
    kind: 'operator',
    name,
    command,
    fields,
    json: json === true,
    yes: yes === true,
    by: typeof by === 'string' && by !== '' ? by : null,
  };
}

/** The request for these words. Throws a UsageError of one sentence for anything that it does not understand. */
export function requestFrom(words: readonly string[], env: Environment = process.env): CommandRequest {
  const parser = parserFor();
  addServerOptions(parser.root, ALL_OPTIONS);
  parser.root.usage('[options] | COMMAND').version(versionText(), '--version', 'prints the version').description(ABOUT);
  parser.root.addHelpText('after', variablesText());
  let request: CommandRequest | null = null;
  for (const [name, command] of Object.entries(COMMANDS)) {
    if (command.kind === 'operator') {
      const parsed = addOperatorCommand(parser, name, command);
      parsed.action(() => void (request = operatorRequest(name, command, parsed, words, env)));
    } else {
      const parsed = parser.add(name);
      addFields(parsed, command);
      addServerOptions(parsed, command.takes);
      parsed.action(() => {
        const flags = flagValues(parsed, words);
        const options = givenFrom(command.takes, flags, env);
        if (command.takes.includes('data') && command.takes.includes('databaseUrl'))
          refuseMistakenDatabase(options, env);
        request = { kind: 'local', command, fields: fieldsFrom(command, flags, parsed.args), options };
      });
    }
  }
  const text = parser.parse(words);
  return request ?? { kind: 'text', text: text ?? '' };
}

const ABOUT =
  'Without a command it serves. A flag takes precedence over its environment variable; an empty variable is not set. ' +
  'The variable of a secret can name a file with the value, with _FILE at the end of its name.';

/** The options that have a variable but no flag. */
function variablesText(): string {
  const lines = Object.values(OPTIONS).flatMap(({ flag, variable, isSecret, help }: OptionSpec) =>
    flag !== undefined || variable === undefined
      ? []
      : [`  ${variable}${isSecret === true ? ', or with _FILE' : ''}`, `      ${help}`],
  );
  return ['', 'Environment variables without a flag:', ...lines].join('\n');
}
