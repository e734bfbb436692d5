/** A host's site whose pages contain the prerendered login, under the strictest policy, with a script that a test can hold back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleHost } from '../../bench/host-bundle.ts';
import { serve } from '#scripts/lib/net.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { PUBLIC_TOKEN } from '#scripts/serve-demo.ts';
import type * as Prerender from '#composition/prerender.tsx';
import type { MountLoginOptions } from '#composition/ui-client.ts';
import { test as base } from './fixtures.ts';

type Login = Omit<MountLoginOptions, 'elementId' | 'callbacks'>;

interface HostPage {
  /** Default: `login`. A reset page has a token that no provider knows. */
  readonly widget?: Prerender.PrerenderedWidget;
  /** The options of the markup, and of the mount call unless `mounted` is given. */
  readonly login: Login & Pick<Prerender.PrerenderOptions, 'project'>;
  readonly mounted?: Login;
  /** The markup contains its style sheet and its script, of which the policy allows the hashes alone. */
  readonly isInline?: boolean;
  /** Leaves the markup out. */
  readonly isEmpty?: boolean;
}

export interface PrerenderedSite {
  /** Adds a page, and returns its address. */
  readonly add: (page: HostPage) => Promise<string>;
  /** Lets the scripts of the pages so far through. They wait until then. */
  readonly release: () => void;
}

const dist = (name: string): string => join(ROOT, 'dist', name);

const policy = (provider: string, { script, style } = { script: '', style: "'self'" }): string =>
  `default-src 'none'; script-src 'self' ${script}; style-src ${style}; img-src 'self'; connect-src 'self' ${provider}; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/** The host's bundle with React, by path; made once for all tests of a worker. */
async function reactScripts(): Promise<ReadonlyMap<string, string>> {
  const chunks = await bundleHost(
    "import { PorticoUIClient } from 'portico'; Object.assign(globalThis, { PorticoUIClient });",
    {
      input: 'host',
      alias: [{ find: /^portico$/, replacement: dist('index.js') }],
      output: { entryFileNames: 'host.js', chunkFileNames: '[name]-[hash].js' },
    },
  );
  return new Map(chunks.map(({ fileName, code }) => [`/react/${fileName}`, code]));
}

/** The function that renders a widget, and that which mounts it. */
const CALLS = {
  login: ['renderLogin', 'mountLogin'],
  reset: ['renderPasswordReset', 'mountResetPassword'],
  passkeys: ['renderPasskeyRegistration', 'mountPasskeyRegistration'],
  consent: ['renderIdentityProvider', 'mountIdentityProvider'],
  account: ['renderAccount', 'mountAccount'],
} as const;

async function pageOf(
  { widget = 'login', login, mounted = login, isEmpty = false, isInline = false }: HostPage,
  provider: string,
  portico: string,
) {
  const prerender = (await import(dist('prerender.js'))) as typeof Prerender;
  const { widgetStylesheet, inlineHashes } = prerender;
  const [renders, mounts] = CALLS[widget];
  const { language: locale, strings: texts, config, styles, project } = login;
  const places = isInline ? { inline: true } : { stylesheet: 'login.css', early: '/dist/early.js' };
  const markup = isEmpty ? '' : await prerender[renders]({ config, styles, texts, locale, project, ...places });
  const token = widget === 'reset' ? { passwordResetToken: 'unknown' } : {};
  const options = JSON.stringify({ ...mounted, ...token, project: undefined });
  const html =
    `<!doctype html><html lang="${locale ?? 'en'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Host</title><link rel="icon" href="/icon.svg">${isInline ? '' : '<link rel="stylesheet" href="/host.css">'}<div id="login">${markup}</div>` +
    `<script type="module" src="mount.js"></script></html>`;
  const script =
    `${portico}\n` +
    `const client = new PorticoUIClient('${PUBLIC_TOKEN}', { apiUrl: '${provider}' });\n` +
    `client.${mounts}({ elementId: '#login', ...${options} });\n` +
    `Object.assign(globalThis, { client });\n`;
  const hashes = isInline ? await inlineHashes({ widget, styles }) : undefined;
  return { html, script, css: widgetStylesheet({ widget, styles }), policy: policy(provider, hashes) };
}

type ServedPage = Awaited<ReturnType<typeof pageOf>> & { readonly held: Promise<void>; readonly release: () => void };

/** What a host sets for its own pages, which must not reach the widget. */
const HOST_CSS = 'html { font-size: 62.5% } body { margin: 0; font: 30px serif } input { border: 9px solid red }';

/** Serves pages for the provider until they are closed. */
async function openSite(bundle: ReadonlyMap<string, string>, providerUrl: string, portico: string) {
  const pages = new Map<string, ServedPage>();
  const release = (): void => pages.forEach((page) => page.release());
  const server = await serve((request, response) => {
    const [, page = '', file = ''] = /^\/(page-\d+)\/(.*)$/u.exec(request.url ?? '') ?? [];
    const url = request.url ?? '';
    const known = pages.get(page);
    const rules = known?.policy ?? policy(providerUrl);
    const send = (type: string, body: string | Buffer): void =>
      void response.writeHead(200, { 'content-type': type, 'content-security-policy': rules }).end(body);
    if (known !== undefined && file === '') send('text/html', known.html);
    else if (known !== undefined && file === 'login.css') send('text/css', known.css);
    else if (known !== undefined) void known.held.then(() => send('text/javascript', known.script));
    else if (url === '/host.css') send('text/css', HOST_CSS);
    else if (url.endsWith('.svg')) send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    else send('text/javascript', bundle.get(url) ?? readFileSync(join(ROOT, url)));
  }, 0);
  const site: PrerenderedSite = {
    async add(page) {
      const name = `page-${pages.size}`;
      const made = await pageOf(page, providerUrl, portico);
      let open = (): void => undefined;
      const held = new Promise<void>((done) => {
        open = done;
      });
      pages.set(name, { ...made, held, release: open });
      return `${server.url}/${name}/`;
    },
    release,
  };
  return {
    site,
    async close() {
      release();
      await server.close();
    },
  };
}

const STANDALONE = "import { PorticoUIClient } from '/dist/standalone.js';";

/** The site for engines that Playwright does not drive, with the build without React. */
export const openStandaloneSite = async (providerUrl: string) => openSite(new Map(), providerUrl, STANDALONE);

export const test = base.extend<{ readonly site: PrerenderedSite }, { readonly bundle: ReadonlyMap<string, string> }>({
  bundle: [async ({}, use) => use(await reactScripts()), { scope: 'worker' }],
  site: async ({ demoPath, providerUrl, bundle }, use) => {
    const portico = demoPath === '/' ? "import '/react/host.js';" : STANDALONE;
    const { site, close } = await openSite(bundle, providerUrl, portico);
    await use(site);
    await close();
  },
});
