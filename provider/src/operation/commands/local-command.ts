import type { CommandFields, CommandSyntax, FieldValues } from '../operators/desk/command.ts';
import type { OptionName } from '../options/option-table.ts';
import type { OptionValues } from '../options/option-values.ts';

/** Writes a line of the output. */
type Print = (text: string) => void;

/** A command that runs only in this process, on files or on the database's schema, and not at `/admin`. */
export interface LocalCommand extends CommandSyntax {
  readonly kind: 'local';
  /** The server options that it accepts. */
  readonly takes: readonly OptionName[];
  /**
   * @param print prints a line before the command ends
   * @returns the text to print
   */
  readonly run: (fields: unknown, options: OptionValues, print: Print) => string | Promise<string>;
}

/** A command whose fields have the types that it describes. */
export function localCommand<const F extends CommandFields, const N extends OptionName>(
  command: Omit<LocalCommand, 'kind' | 'fields' | 'takes' | 'run'> & {
    readonly fields: F;
    readonly takes: readonly N[];
  },
  run: (fields: FieldValues<F>, options: OptionValues<N>, print: Print) => string | Promise<string>,
): LocalCommand {
  return { ...command, kind: 'local', run: (fields, options, print) => run(fields as FieldValues<F>, options, print) };
}
