/** Host pages with the built package, made like a host's: by Vite's defaults, of a script tag, and with a prerendered form. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type AliasOptions, type Plugin } from 'vite';
import { ROOT } from '../../scripts/lib/root.mjs';
import type * as Portico from '../../src/composition/react.tsx';
import type * as PorticoVite from '../../src/composition/vite.ts';
import type { LoginConfig } from '../../src/domain/widget/widget-config.ts';

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

const html = (scripts: string, root = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Host</title><link rel="icon" href="data:,"></head><body><div id="root">${root}</div>${scripts}</body></html>`;

/** Builds a page of one module. The source lies in `root`, so that its imports are found from there. */
export async function builtByVite(
  name: string,
  source: string,
  {
    root,
    out,
    alias,
    form,
  }: {
    readonly root: string;
    readonly out: string;
    readonly alias?: AliasOptions;
    /** The plugin that writes a form into the page. */
    readonly form?: Plugin;
  },
): Promise<BuiltPage> {
  const folder = join(out, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'main.js'), source);
  writeFileSync(
    join(root, 'index.html'),
    html('<script type="module" src="./main.js"></script>', form && '<!--portico-login-->'),
  );
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias },
    plugins: [form],
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

/** @param props the properties of the login beside its config */
const reactPage = (props: string, show: string): string => `import { createElement } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { PorticoUIClient } from 'portico';
import { Login, PorticoProvider } from 'portico/react';
${API}
const client = ${CLIENT};
const config = ${CONFIG};
const page = createElement(PorticoProvider, { client }, createElement(Login, { config${props} }));
const root = document.getElementById('root');
${show};`;

const REACT = reactPage('', 'createRoot(root).render(page)');
const HYDRATED = reactPage(', prerender: true', 'hydrateRoot(root, page)');

function scriptTagPage(out: string): BuiltPage {
  const folder = join(out, 'script tag');
  cpSync(dist('script'), folder, { recursive: true });
  const mount = `<script>${API}\nconst { PorticoUIClient } = Portico;\n${MOUNT}</script>`;
  writeFileSync(join(folder, 'index.html'), html(`<script src="./portico.js"></script>${mount}`));
  return { name: 'script tag', folder };
}

/** The same form where nothing knows the origin of the page. */
const PRERENDERED: LoginConfig = {
  products: ['emailMagicLinks', 'oauth'],
  emailMagicLinksOptions: { loginRedirectURL: 'https://app.example/a', signupRedirectURL: 'https://app.example/a' },
  oauthOptions: {
    providers: [{ type: 'google' }, { type: 'microsoft' }, { type: 'apple' }],
    loginRedirectURL: 'https://app.example/a',
    signupRedirectURL: 'https://app.example/a',
  },
};

const loaded = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(dist(file)).href)) as Module;

/** Puts the markup into a built page. */
function withForm(page: BuiltPage, markup: string): BuiltPage {
  const index = join(page.folder, 'index.html');
  writeFileSync(
    index,
    readFileSync(index, 'utf8').replace('<div id="root">', () => `<div id="root">${markup}`),
  );
  return page;
}

/** The form as a server of React renders it. */
async function serverHtml(): Promise<string> {
  const { createElement: h } = await import('react');
  const { renderToString } = await import('react-dom/server');
  const { Login, PorticoProvider } = await loaded<typeof Portico>('react.js');
  const login = h(Login, { config: PRERENDERED, prerender: { inline: true } });
  return renderToString(h(PorticoProvider, { client: null }, login));
}

/** Makes our pages in the folder `out`: all of them, or those that are asked for. */
export async function hostPages(out: string, names?: readonly string[]): Promise<BuiltPage[]> {
  const made = (name: string, source: string, form?: Plugin): Promise<BuiltPage> =>
    builtByVite(name, source, { root: join(out, 'sources', name), out, alias: OURS, form });
  const { portico } = await loaded<typeof PorticoVite>('vite.js');
  const known = (source: string): string => source.replace(CONFIG, JSON.stringify(PRERENDERED));
  const makers: Readonly<Record<string, () => BuiltPage | Promise<BuiltPage>>> = {
    standalone: () => made('standalone', STANDALONE),
    'script tag': () => scriptTagPage(out),
    'React host': () => made('React host', REACT),
    'standalone, prerendered': () =>
      made('standalone, prerendered', known(STANDALONE), portico({ config: PRERENDERED, inline: true }) as Plugin),
    'React host, prerendered': async () =>
      withForm(await made('React host, prerendered', known(HYDRATED)), await serverHtml()),
  };
  const pages: BuiltPage[] = [];
  for (const [name, make] of Object.entries(makers)) {
    // oxlint-disable-next-line no-await-in-loop -- one build has all cores
    if (names === undefined || names.includes(name)) pages.push(await make());
  }
  return pages;
}
