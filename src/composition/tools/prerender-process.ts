import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '#domain/shape.ts';
import type { PasswordResetPrerenderOptions, PrerenderedWidget } from '../prerender.tsx';
import { CommandError } from './command-error.ts';
import { commandFrom, HELP } from './command.ts';
import { DEFAULT_EARLY } from '../prerender/options.ts';
import { placeholderOf, withMarkup } from './html-file.ts';
import { policyLine, RENDERERS, widgetFiles } from './package-files.ts';

/** Throws for a path without a file, because the platform's own message is about a module, or a number. */
async function checkFile(at: string, path: string): Promise<void> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new CommandError(`${at}there is no file ${resolve(path)}.`);
}

async function optionsIn(path: string | undefined): Promise<PasswordResetPrerenderOptions> {
  if (path === undefined) return {};
  await checkFile('--options: ', path);
  // oxlint-disable-next-line import/no-dynamic-require -- the host's own module, which the command names
  const module = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown };
  if (!isRecord(module.default)) throw new CommandError(`--options: the default export of ${path} must be an object`);
  return module.default;
}

/** The HTML of each file with the markup. Nothing is written until all files are known to have a place for it. */
async function renderedPages(
  widget: PrerenderedWidget,
  pages: readonly string[],
  options: PasswordResetPrerenderOptions,
): Promise<readonly (readonly [string, string])[]> {
  return Promise.all(
    pages.map(async (path) => {
      await checkFile('HTML: ', path);
      const render = async (id: string | undefined) => RENDERERS[widget]({ id, ...options });
      const early = options.inline === true ? undefined : (options.early ?? DEFAULT_EARLY);
      const html = await withMarkup(await readFile(path, 'utf8'), widget, render, early);
      if (html === null) throw new CommandError(`${path} has no ${placeholderOf(widget)}`);
      return [path, html] as const;
    }),
  );
}

/** `npx portico prerender`: writes the first screen of a widget into HTML files, and the files that it needs into a folder. */
export async function runPrerender(args: readonly string[]): Promise<void> {
  const command = commandFrom(args);
  if (command === null) return void process.stdout.write(HELP);
  const options = await optionsIn(command.options);
  const pages = command.pages.length === 0 ? [] : await renderedPages(command.widget, command.pages, options);
  const files = command.files === undefined ? {} : await widgetFiles(command.widget, options.styles);
  const folder = command.files ?? '';
  if (command.files !== undefined) await mkdir(folder, { recursive: true });
  const all = [...pages, ...Object.entries(files).map(([name, text]) => [join(folder, name), text] as const)];
  for (const [path, text] of all) {
    await writeFile(path, text);
    process.stdout.write(`portico: wrote ${path}\n`);
  }
  if (options.inline === true && pages.length > 0) {
    process.stdout.write(`${await policyLine(command.widget, options.styles)}\n`);
  }
}
