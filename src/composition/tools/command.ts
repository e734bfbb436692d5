import { parseArgs } from 'node:util';
import type { PrerenderedWidget } from '../prerender.tsx';
import { checkFlags, CommandError } from './command-error.ts';
import { placeholderOf } from './html-file.ts';
import { WIDGETS } from './package-files.ts';

export const HELP = `npx portico prerender [--widget NAME] [--options FILE] [--files FOLDER] [HTML …]

Writes the first screen of a widget into the HTML files, at ${placeholderOf('login')} or the comment of the other widget, and replaces the form of an earlier run.
The form links to its style sheet and its small script. With inline: true in the options it contains them, and the command prints their hashes for
a Content-Security-Policy.

  --widget NAME    ${WIDGETS.join(', ')}. Default: login
  --options FILE   a module whose default export is the options of renderLogin of portico/prerender, or of
                   the function for the other widget. Default: none
  --files FOLDER   writes the two files that the page loads into this folder: login.css, or that of the other widget, and early.js
`;

interface Command {
  readonly widget: PrerenderedWidget;
  /** The paths of the HTML files. */
  readonly pages: readonly string[];
  /** The path of the module with the options. */
  readonly options: string | undefined;
  /** The folder for the two files. */
  readonly files: string | undefined;
}

const FLAGS = {
  widget: { type: 'string', default: 'login' },
  options: { type: 'string' },
  files: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The parsed command; null if it requests help. Throws an `Error` that names the mistake. */
export function commandFrom(args: readonly string[]): Command | null {
  checkFlags(args, FLAGS);
  const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  if (values.help === true) return null;
  const [command, ...pages] = positionals;
  if (command !== 'prerender')
    throw new CommandError(`Unknown command. Use npx portico init or npx portico prerender.\n\n${HELP}`);
  const { options, files } = values;
  const widget = WIDGETS.find((name) => name === values.widget);
  if (widget === undefined) {
    throw new CommandError(`--widget: use one of ${WIDGETS.join(', ')}, not ${values.widget}.`);
  }
  if (pages.length === 0 && files === undefined) {
    throw new CommandError(`Name an HTML file, or a folder with --files.\n\n${HELP}`);
  }
  return { widget, pages, options, files };
}
