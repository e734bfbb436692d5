import type { OperatorCommand } from '../operators/command.ts';
import { OPERATOR_COMMANDS } from '../operators/commands.ts';
import { flagsOf, givenFrom, parseFlags, type Environment, type Flags } from './option-values.ts';
import { PLACE, placeFrom, type DataLocation } from './admin-options.ts';
import { UsageError } from '../../base/usage-error.ts';

export interface ManageOptions extends DataLocation {
  /** Such as `users list`. */
  readonly name: string;
  readonly command: OperatorCommand;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly yes: boolean;
  /** Who runs the command, for the audit log; null for the user of this machine. */
  readonly by: string | null;
}

const ALWAYS = { json: { type: 'boolean' }, yes: { type: 'boolean' }, by: { type: 'string' } } as const;

const flagOf = (field: string): string => field.replaceAll('_', '-');

function fieldsOf({ options }: OperatorCommand): readonly string[] {
  // The lines of a file are no option.
  return Object.keys(options).filter((field) => options[field] !== 'object[]');
}

/** How a command is written: `users lock USER`. */
export function usageOf(name: string, command: OperatorCommand): string {
  const { argument, options, question } = command;
  const words = fieldsOf(command)
    .filter((field) => field !== argument)
    .map((field) => {
      const kind = options[field] ?? '';
      const text = kind.startsWith('boolean') ? `--${flagOf(field)}` : `--${flagOf(field)} ${field.toUpperCase()}`;
      return kind.endsWith('?') ? `[${text}]` : text;
    });
  return [
    name,
    ...(argument === undefined ? [] : [argument.toUpperCase()]),
    ...words,
    ...(question === undefined ? [] : ['[--yes]']),
  ].join(' ');
}

/** The arguments from the command's first word on; throws a UsageError for anything it does not understand. */
export function manageOptionsFrom(args: readonly string[], env: Environment = process.env): ManageOptions {
  const name = args.slice(0, 2).join(' ');
  const command = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined;
  if (command === undefined) {
    const known = Object.keys(OPERATOR_COMMANDS).filter((each) => each.startsWith(`${args[0]} `));
    throw new UsageError(`Say one of: ${known.join(', ')}. portico-provider --help explains them.`);
  }
  const { argument, options } = command;
  const flags: Flags = Object.fromEntries(
    fieldsOf(command).map((field) => [
      flagOf(field),
      {
        type: options[field]?.startsWith('boolean') === true ? 'boolean' : 'string',
        ...(options[field]?.startsWith('string[]') === true ? { multiple: true } : {}),
      },
    ]),
  );
  const { values, positionals } = parseFlags(args.slice(2), { ...flags, ...ALWAYS, ...flagsOf(PLACE) }, true);
  const fields: Record<string, unknown> = {};
  for (const field of fieldsOf(command)) {
    const value = values[flagOf(field)];
    if (value !== undefined) fields[field] = value;
  }
  const [word, ...others] = positionals;
  if (word !== undefined && argument !== undefined) fields[argument] = word;
  if (Object.hasOwn(options, 'origin')) fields['origin'] ??= originOfPage(env);
  const missing = fieldsOf(command).find(
    (field) => fields[field] === undefined && (options[field]?.endsWith('?') === false || field === argument),
  );
  if (missing !== undefined || others.length > 0 || (word !== undefined && argument === undefined)) {
    throw new UsageError(`Say ${usageOf(name, command)}.`);
  }
  return {
    ...placeFrom(givenFrom(PLACE, values, env)),
    name,
    command,
    fields,
    json: values['json'] === true,
    yes: values['yes'] === true,
    by: textOf(values['by']),
  };
}

/** The origin of the operators' page by the variables that tell it to the server. An empty one is not set. */
function originOfPage(env: Environment): string | undefined {
  const { PORTICO_OPERATORS_ORIGIN: origin = '', PORTICO_OPERATORS_PORT: port = '' } = env;
  if (origin !== '') return origin;
  return port === '' || port === '0' ? undefined : `http://localhost:${port}`;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
