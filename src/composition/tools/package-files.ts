import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loginStylesheet, type StyleConfig } from '../prerender.tsx';

/** The files of a prerendered login by their names, which a page needs beside its markup. */
export async function loginFiles(styles: StyleConfig | undefined): Promise<Readonly<Record<string, string>>> {
  const early = await readFile(fileURLToPath(import.meta.resolve('portico/early.js')), 'utf8');
  return { 'login.css': loginStylesheet({ styles }), 'early.js': early };
}
