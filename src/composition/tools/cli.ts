/** `npx portico`: writes the first screen of the login into HTML files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isRecord } from '../../domain/shape.ts';
import { PLACE, withMarkup } from './html-file.ts';
import { loginFiles } from './package-files.ts';
import { renderLogin, type PrerenderOptions } from '../prerender.tsx';

const HELP = `npx portico prerender [--options FILE] [--files FOLDER] [HTML …]

Writes the first screen of the login into the HTML files, at ${PLACE}. What an earlier run wrote there is replaced.

  --options FILE   a module whose default export is the options of renderLogin of portico/prerender. Default: none
  --files FOLDER   writes login.css and early.js, which the page loads, into this folder
`;

/** A mistake in the command or in a file that it names. */
class CommandError extends Error {}

async function optionsIn(path: string | undefined): Promise<PrerenderOptions> {
  if (path === undefined) return {};
  // oxlint-disable-next-line import/no-dynamic-require -- the host's own module, which the command names
  const module = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown };
  if (!isRecord(module.default)) throw new CommandError(`--options: the default export of ${path} must be an object`);
  return module.default;
}

async function prerender(pages: readonly string[], options: PrerenderOptions, folder?: string): Promise<void> {
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(await loginFiles(options.styles)))
      await writeFile(join(folder, name), text);
  }
  const markup = await renderLogin(options);
  const written: [path: string, html: string][] = [];
  for (const path of pages) {
    const html = withMarkup(await readFile(path, 'utf8'), markup);
    if (html === null) throw new CommandError(`${path} has no ${PLACE}`);
    written.push([path, html]);
  }
  for (const [path, html] of written) await writeFile(path, html);
}

try {
  const { values, positionals } = parseArgs({
    options: { options: { type: 'string' }, files: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  const [command, ...pages] = positionals;
  if (values.help === true) process.stdout.write(HELP);
  else {
    if (command !== 'prerender') throw new CommandError(`Unknown command. Use npx portico prerender.\n\n${HELP}`);
    if (pages.length === 0 && values.files === undefined) {
      throw new CommandError(`Name an HTML file, or a folder with --files.\n\n${HELP}`);
    }
    await prerender(pages, await optionsIn(values.options), values.files);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
