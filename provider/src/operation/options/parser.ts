import { Command, CommanderError, Help, Option } from 'commander';
import { UsageError } from '#provider/base/usage-error.ts';
import type { CommandField } from '../operators/desk/command.ts';
import { OPTIONS, type OptionName, type OptionSpec } from './option-table.ts';

/** The flags of a command line, by their names without leading hyphens. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const PROGRAM = 'portico-provider';

export interface Parser {
  /** The whole program. */
  readonly root: Command;
  /** Adds a command that can be run, below the command of its first words. */
  readonly add: (words: string) => Command;
  /**
   * Parses the words, and runs the action of the command that they name. Throws a UsageError of one sentence.
   *
   * @returns the help or the version, if requested; null if an action ran
   */
  readonly parse: (words: readonly string[]) => string | null;
}

export function parserFor(): Parser {
  let printed = '';
  const runnable = new Set<Command>();
  const root = new Command(PROGRAM)
    .exitOverride()
    // Options of the server come before a command, and those of the command after it.
    .enablePositionalOptions()
    .helpOption('-h, --help', 'prints this help')
    .configureOutput({
      writeErr: () => undefined,
      writeOut: (text) => void (printed += text),
      getOutHelpWidth: () => (process.stdout.isTTY ? process.stdout.columns : 120),
    })
    .configureHelp({
      subcommandTerm: (command) => `${wordsOf(command)} ${withoutOptions(command.usage())}`,
      // Lists everything that can be run, instead of only the first words.
      formatHelp(command, helper) {
        const visibleCommands = (within: Command) => runnableIn(within).filter((each) => each !== command);
        const whole = Object.assign(Object.create(helper) as Help, { visibleCommands });
        return Help.prototype.formatHelp.call(whole, command, whole);
      },
    });
  const runnableIn = (command: Command): readonly Command[] => [
    ...(runnable.has(command) ? [command] : []),
    ...command.commands.flatMap(runnableIn),
  ];
  return {
    root,
    add(words) {
      const added = words.split(' ').reduce((at, word) => {
        return at.commands.find((each) => each.name() === word) ?? at.command(word).helpCommand(false);
      }, root);
      runnable.add(added);
      return added;
    },
    parse(words) {
      try {
        root.parse(words, { from: 'user' });
        return null;
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        if (error.exitCode === 0) return printed.trimEnd();
        const at = reached(root, words);
        const choices = at === root ? root.commands : runnableIn(at);
        throw usageError(error, at, choices.map(wordsOf));
      }
    },
  };
}

/** The command that the words name, as far as they match one. */
function reached(command: Command, [word, ...rest]: readonly string[]): Command {
  const next = command.commands.find((each) => each.name() === word);
  return next === undefined ? command : reached(next, rest);
}

/** The words of a command, without the name of the program. */
function wordsOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${wordsOf(parent)} ${command.name()}`.trimStart();
}

/** The usage with a summary instead of the options at its end. */
function withoutOptions(usage: string): string {
  const start = ` ${usage}`.indexOf(' [--');
  return start < 0 ? usage : `${usage.slice(0, start)}[options]`;
}

function usageError({ message, code }: CommanderError, at: Command, choices: readonly string[]): UsageError {
  const [problem = '', hint = ''] = message.replace(/^error: /u, '').split('\n');
  const oneOf = `Use one of: ${choices.join(', ')}.`;
  const usage = ['Usage:', PROGRAM, wordsOf(at), at.usage()].filter(Boolean).join(' ');
  switch (code) {
    case 'commander.help':
      return new UsageError(oneOf);
    case 'commander.excessArguments':
      return new UsageError(
        `${sentence(`unexpected argument '${at.args[at.registeredArguments.length] ?? ''}'`)} ${usage}`,
      );
    case 'commander.missingArgument':
    case 'commander.missingMandatoryOptionValue':
      return new UsageError(`${sentence(problem)} ${usage}`);
    case 'commander.unknownCommand':
      return new UsageError([sentence(problem), sentence(hint), oneOf].filter(Boolean).join(' '));
    default:
      return new UsageError(`${sentence(problem)} ${sentence(hint)}`.trimEnd());
  }
}

/** The text with `shown` in place of everything from a position to its last quotation mark, if that comes later. */
function untilLastQuote(text: string, start: number, replacement: string): string {
  const end = text.lastIndexOf("'");
  return start < 0 || end <= start ? text : `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

function withoutValue(text: string): string {
  const option = /'-[^'=]*=/u.exec(text);
  return option === null ? text : untilLastQuote(text, option.index + option[0].length - 1, '');
}

function withoutUrl(text: string): string {
  const url = text.indexOf('://');
  const start = text.lastIndexOf("'", url) + 1;
  return url < 0 || start === 0 ? text : untilLastQuote(text, start, '…');
}

/** A problem as a sentence. It leaves out the value of a misspelled option, and URLs, because they may contain a password. */
function sentence(problem: string): string {
  const safe = withoutUrl(withoutValue(problem.replaceAll(/^\(|\)$/gu, '')));
  const whole = `${safe.charAt(0).toUpperCase()}${safe.slice(1)}`;
  return /[.?]$|^$/u.test(whole) ? whole : `${whole}.`;
}

/** Options of the server. */
export function addServerOptions(command: Command, names: readonly OptionName[]): void {
  for (const name of names) {
    const { flag, variable, argument, isSecret, help }: OptionSpec = OPTIONS[name];
    if (flag === undefined) continue;
    const from = variable === undefined ? '' : ` [${variable}${isSecret === true ? ', or with _FILE' : ''}]`;
    command.option(argument === undefined ? `--${flag}` : `--${flag} <${argument}>`, help + from);
  }
}

export const flagOf = (field: string): string => field.replaceAll('_', '-');

/** The option for a field. */
export function optionFor(name: string, { type, help, values }: CommandField): Option {
  const flag = flagOf(name);
  const option = new Option(type.startsWith('boolean') ? `--${flag}` : `--${flag} <${flag.toUpperCase()}>`, help);
  if (values !== undefined) option.choices([...values]);
  if (type.startsWith('string[]')) {
    option.argParser((value: string, others: readonly string[] | undefined) => [...(others ?? []), value]);
  }
  return option.makeOptionMandatory(!type.endsWith('?'));
}

/** The flags in the words. Throws a UsageError if a flag has another flag as its value. */
export function flagValues(command: Command, words: readonly string[]): FlagValues {
  const flags: Record<string, string | boolean | readonly string[]> = {};
  for (const option of command.options) {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== 'cli') continue;
    // For `--no-migrate` commander sets `migrate` to false.
    const value = option.negate ? true : (command.getOptionValue(key) as string | boolean | readonly string[]);
    const isAmbiguous = words.some((word, at) => word === option.long && words[at + 1]?.startsWith('-') === true);
    if (typeof value !== 'boolean' && isAmbiguous) {
      throw new UsageError(
        `Option '${option.flags}' argument missing: write ${option.long}=… if it begins with a hyphen.`,
      );
    }
    flags[option.long?.replace(/^--/u, '') ?? key] = value;
  }
  return flags;
}
