/** A server that renders pages with React Router and `portico/react`, under the strictest policy, with a script that a test can hold back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement as h } from 'react';
// Before Vite, which sets NODE_ENV: React's files must all be of one kind.
import 'react/jsx-runtime';
import { renderToPipeableStream } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, Outlet, StaticRouterProvider } from 'react-router';
import { bundleHost } from '../../bench/host-bundle.ts';
import { serve } from '#scripts/lib/net.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { PUBLIC_TOKEN } from '#scripts/serve-demo.ts';
import type * as Prerender from '#composition/prerender.tsx';
import type * as Portico from '#composition/react.tsx';
import type * as Server from '#composition/server.ts';
import { test as base } from './fixtures.ts';
import { routesOf, type LoginProps, type ServedWidget } from './react-server-app.ts';

/** `language: 'accepted'` is the language that the browser prefers. */
export type ServedLogin = Pick<LoginProps, 'config' | 'styles' | 'strings' | 'language'>;

interface ReactServer {
  /** The address of the page with this login, or with another widget. A reset page has a token that no provider knows. */
  readonly show: (login: ServedLogin, widget?: ServedWidget) => string;
  /** Lets the scripts of the pages so far through. They wait until then. */
  readonly release: () => void;
}

const dist = (name: string): string => join(ROOT, 'dist', name);

const clientSource = (provider: string): string => `
  import { createElement } from 'react';
  import { hydrateRoot } from 'react-dom/client';
  import { createBrowserRouter, Outlet, RouterProvider } from 'react-router';
  import { PorticoUIClient } from 'portico';
  import * as portico from 'portico/react';
  import { routesOf } from ${JSON.stringify(join(ROOT, 'tests/e2e/react-server-app.ts'))};
  const client = new PorticoUIClient('${PUBLIC_TOKEN}', { apiUrl: '${provider}' });
  const page = JSON.parse(document.body.dataset.page);
  const router = createBrowserRouter(routesOf({ createElement, portico, outlet: Outlet, client, ...page }));
  hydrateRoot(document.getElementById('app'), createElement(RouterProvider, { router }));`;

export const test = base.extend<{ readonly app: ReactServer }, { readonly scripts: ReadonlyMap<string, string> }>({
  scripts: [
    async ({}, use) => {
      const chunks = await bundleHost(clientSource(process.env['PORTICO_PROVIDER_URL'] ?? ''), {
        input: 'host',
        mode: 'development',
        alias: [
          { find: /^portico$/, replacement: dist('index.js') },
          { find: /^portico\/react$/, replacement: dist('react.js') },
        ],
        output: { entryFileNames: 'host.js', chunkFileNames: '[name]-[hash].js' },
      });
      await use(new Map(chunks.map(({ fileName, code }) => [`/scripts/${fileName}`, code])));
    },
    { scope: 'worker' },
  ],
  app: async ({ providerUrl, scripts }, use) => {
    const portico = (await import(dist('react.js'))) as typeof Portico;
    const { widgetStylesheet } = (await import(dist('prerender.js'))) as typeof Prerender;
    const { acceptedLanguage } = (await import(dist('server.js'))) as typeof Server;
    const policy =
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ${providerUrl}; ` +
      "require-trusted-types-for 'script'; trusted-types 'none'";
    const pages: (readonly [ServedLogin, ServedWidget])[] = [];
    let release = (): void => undefined;
    let held = Promise.resolve();
    const server = await serve((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const [login, widget] = pages[Number(url.searchParams.get('login'))] ?? [{}, 'login'];
      const { config, styles, strings, language: asked } = login;
      const language = asked === 'accepted' ? acceptedLanguage(request.headers['accept-language']) : asked;
      const send = (type: string, body: string): void =>
        void response.writeHead(200, { 'content-type': type }).end(body);
      const options = {
        config,
        styles,
        strings,
        language,
        ...(widget === 'reset' && { passwordResetToken: 'unknown' }),
        prerender: { stylesheet: `/login.css?${url.searchParams}`, early: '/early.js' },
      };
      const page = async (): Promise<void> => {
        const handler = createStaticHandler(
          routesOf({ createElement: h, portico, outlet: Outlet, client: null, widget, options }),
        );
        const context = await handler.query(new Request(url));
        if (context instanceof Response) throw new Error('The page redirects.');
        const router = createStaticRouter(handler.dataRoutes, context);
        const app = h(StaticRouterProvider, { router, context, hydrate: false });
        const html = h(
          'html',
          { lang: language ?? 'en' },
          h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, 'Host')),
          h('body', { 'data-page': JSON.stringify({ widget, options }) }, h('div', { id: 'app' }, app)),
        );
        const { pipe } = renderToPipeableStream(html, {
          bootstrapModules: ['/scripts/host.js'],
          onShellReady: () => {
            response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
            pipe(response);
          },
        });
      };
      if (url.pathname === '/login') void page();
      else if (url.pathname === '/login.css') send('text/css', widgetStylesheet({ widget, styles }));
      else if (url.pathname === '/early.js') send('text/javascript', readFileSync(dist('early.js'), 'utf8'));
      else if (url.pathname.startsWith('/scripts/')) {
        void held.then(() => send('text/javascript', scripts.get(url.pathname) ?? ''));
      } else send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    }, 0);
    await use({
      show(login, widget = 'login') {
        pages.push([login, widget]);
        held = new Promise<void>((done) => (release = done));
        return `${server.url}/login?login=${pages.length - 1}`;
      },
      release: () => release(),
    });
    release();
    await server.close();
  },
});
