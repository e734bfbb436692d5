/** Host pages with the built package, made like a host's: two by Vite's defaults, one of a script tag. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type AliasOptions } from 'vite';
import { ROOT } from '../../scripts/lib/root.mjs';

/** A built page: a folder that holds an `index.html`. */
export interface BuiltPage {
  readonly name: string;
  readonly folder: string;
}

const dist = (file: string): string => join(ROOT, 'dist', file);
const installed = (name: string): string => join(ROOT, 'node_modules', name);

/** The form that every measured client shows: a field for an email address, and three social logins. */
export const CONFIG = `{
  products: ['emailMagicLinks', 'oauth'],
  emailMagicLinksOptions: { loginRedirectURL: location.origin + '/a', signupRedirectURL: location.origin + '/a' },
  oauthOptions: {
    providers: [{ type: 'google' }, { type: 'microsoft' }, { type: 'apple' }],
    loginRedirectURL: location.origin + '/a', signupRedirectURL: location.origin + '/a',
  },
}`;
export const TOKEN = 'public-token-test-11111111-1111-4111-8111-111111111111';
/** The stub's address comes in the query. */
export const API = `const api = new URLSearchParams(location.search).get('api');`;

const CLIENT = `new PorticoUIClient('${TOKEN}', { apiUrl: api })`;
const MOUNT = `${CLIENT}.mountLogin({ elementId: '#root', config: ${CONFIG} });`;

const html = (scripts: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Host</title><link rel="icon" href="data:,"></head><body><div id="root"></div>${scripts}</body></html>`;

/** Builds a page of one module. The source lies in `root`, so that its imports are found from there. */
export async function builtByVite(
  name: string,
  source: string,
  { root, out, alias }: { readonly root: string; readonly out: string; readonly alias?: AliasOptions },
): Promise<BuiltPage> {
  const folder = join(out, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'main.js'), source);
  writeFileSync(join(root, 'index.html'), html('<script type="module" src="./main.js"></script>'));
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias },
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false },
  });
  return { name, folder };
}

/** The targets of the package's name in a host that installed it. */
const OURS: AliasOptions = [
  { find: /^portico$/, replacement: dist('index.js') },
  { find: /^portico\/(standalone|react)$/, replacement: dist('$1.js') },
  { find: /^(react|react-dom)(?=$|\/)/, replacement: installed('$1') },
];

const STANDALONE = `import { PorticoUIClient } from 'portico/standalone';
${API}
${MOUNT}`;

const REACT = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { PorticoUIClient } from 'portico';
import { Login, PorticoProvider } from 'portico/react';
${API}
const client = ${CLIENT};
const config = ${CONFIG};
const login = createElement(Login, { config });
createRoot(document.getElementById('root')).render(createElement(PorticoProvider, { client }, login));`;

function scriptTagPage(out: string): BuiltPage {
  const folder = join(out, 'script tag');
  cpSync(dist('script'), folder, { recursive: true });
  const mount = `<script>${API}\nconst { PorticoUIClient } = Portico;\n${MOUNT}</script>`;
  writeFileSync(join(folder, 'index.html'), html(`<script src="./portico.js"></script>${mount}`));
  return { name: 'script tag', folder };
}

/** Makes our three pages in the folder `out`. */
export async function hostPages(out: string): Promise<BuiltPage[]> {
  const made = (name: string, source: string): Promise<BuiltPage> =>
    builtByVite(name, source, { root: join(out, 'sources', name), out, alias: OURS });
  return [await made('standalone', STANDALONE), scriptTagPage(out), await made('React host', REACT)];
}
