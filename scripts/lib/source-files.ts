/** Serves this repository's sources to the demo's source page: folders as lists, files as plain text. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import { isLoopbackHost } from '../../src/domain/safe-url.ts';
import { PRODUCT } from './product.ts';
import { ROOT } from './root.mjs';

/** The shown entries of the repository's root, with their contents. */
const SHOWN = new Set([
  ...PRODUCT.map((folder) => folder.split('/')[0] ?? ''),
  'demo',
  'docs',
  'site',
  'examples',
  'tests',
  'bench',
  'scripts',
  'types',
]);
const TEXT = /\.(?:css|html|json|md|mjs|mts|svelte|sql|svg|ts|tsx|txt|vue|yaml|yml)$|^(?:LICENSE|Containerfile)$/u;
/** Names of generated, installed or private files. */
const HIDDEN = /^\.|^(?:node_modules|dist)$|\.env/u;

const isShown = (name: string, folder: string): boolean => {
  if (HIDDEN.test(name)) return false;
  // A link could point outside the repository.
  const found = lstatSync(join(folder, name));
  if (found.isDirectory()) return folder !== ROOT || SHOWN.has(name);
  return found.isFile() && TEXT.test(name);
};

interface FolderListing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

function listed(folder: string): FolderListing {
  const names = readdirSync(folder)
    .filter((name) => isShown(name, folder))
    .sort();
  const isFolder = (name: string): boolean => lstatSync(join(folder, name)).isDirectory();
  return { folders: names.filter(isFolder), files: names.filter((name) => !isFolder(name)) };
}

/** The contents at a path of the repository, resolved step by step, so that only listed entries can be reached; or null. */
export function sourceAt(path: string): FolderListing | string | null {
  let at = ROOT;
  for (const name of path.split('/').filter((step) => step !== '')) {
    const { folders, files } = listed(at);
    if (files.includes(name) && join(at, name) === join(ROOT, path)) return readFileSync(join(at, name), 'utf8');
    if (!folders.includes(name)) return null;
    at = join(at, name);
  }
  return relative(ROOT, at).startsWith('..') ? null : listed(at);
}

/** Prevents DNS rebinding: a site could point its host name to this machine and read the files with this origin's rights. */
function isNamedOurs({ host = '' }: IncomingHttpHeaders): boolean {
  return URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname);
}

/** Serves `/files/PATH`. */
export function sourceFiles(request: IncomingMessage, response: ServerResponse): void {
  const [pathname = ''] = (request.url ?? '').split('?');
  let found: FolderListing | string | null = null;
  try {
    if (isNamedOurs(request.headers)) found = sourceAt(decodeURIComponent(pathname).replace(/^\/files\//u, ''));
  } catch {
    // A malformed path is not found.
  }
  if (found === null) response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found');
  else if (typeof found === 'string') response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(found);
  else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found));
}
