import { parseArgs } from 'node:util';
import { PLACEHOLDER } from './html-file.ts';

export const HELP = `npx portico prerender [--options FILE] [--files FOLDER] [HTML …]

Writes the first screen of the login into the HTML files, at ${PLACEHOLDER}. What an earlier run wrote there is replaced.

  --options FILE   a module whose default export is the options of renderLogin of portico/prerender. Default: none
  --files FOLDER   writes login.css and early.js, which the page loads, into this folder
`;

/** A mistake in the command or in a file that it names. */
export class CommandError extends Error {}

interface Command {
  /** The paths of the HTML files. */
  readonly pages: readonly string[];
  /** The path of the module with the options. */
  readonly options: string | undefined;
  /** The folder for the two files. */
  readonly files: string | undefined;
}

/** The command; null when it asks for help. Throws an `Error` that names what is wrong. */
export function commandFrom(args: readonly string[]): Command | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { options: { type: 'string' }, files: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help === true) return null;
  const [command, ...pages] = positionals;
  if (command !== 'prerender') throw new CommandError(`Unknown command. Use npx portico prerender.\n\n${HELP}`);
  const { options, files } = values;
  if (pages.length === 0 && files === undefined) {
    throw new CommandError(`Name an HTML file, or a folder with --files.\n\n${HELP}`);
  }
  return { pages, options, files };
}
