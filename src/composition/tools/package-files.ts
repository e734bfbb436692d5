import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { widgetStylesheet, type PrerenderedWidget, type StyleConfig } from '../prerender.tsx';

/** The files of a prerendered widget by their names, which a page needs beside its markup. */
export async function widgetFiles(
  widget: PrerenderedWidget,
  styles: StyleConfig | undefined,
): Promise<Readonly<Record<string, string>>> {
  const early = await readFile(fileURLToPath(import.meta.resolve('portico/early.js')), 'utf8');
  return { [`${widget}.css`]: widgetStylesheet({ widget, styles }), 'early.js': early };
}
