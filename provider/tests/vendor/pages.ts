import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { namedFolders } from '#scripts/vite/named-folders.ts';
import { PUBLIC_TOKEN } from '../kit/harness.ts';
import type { Outcome } from './expose.ts';

declare global {
  interface Window {
    callClient(path: string, args: readonly unknown[]): Promise<Outcome>;
  }
}

/** One script for a page, with all that the client needs. */
async function bundle(name: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [namedFolders],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: {
        entry: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
        formats: ['iife'],
        name: 'vendor',
      },
    },
  })) as Rolldown.RolldownOutput[];
  const [output] = Array.isArray(built) ? built : [built];
  return output?.output[0].code ?? '';
}

/** A page for each client, which loads its script and calls the provider at `api`. */
export async function serveClients(clients: readonly string[], api: string): Promise<PageServer> {
  const bundles = new Map<string, string>();
  for (const name of clients) bundles.set(name, await bundle(name));
  return listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const script = bundles.get(/^\/(v\d(?:-widget)?)\.js$/u.exec(pathname)?.[1] ?? '');
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
      return;
    }
    const name = /^\/(v\d(?:-widget)?)\/$/u.exec(pathname)?.[1];
    const options = new URLSearchParams({ api, token: PUBLIC_TOKEN }).toString().replaceAll('&', '&amp;');
    response.statusCode = name === undefined ? 404 : 200;
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><title>A page</title><body><script src="/${name}.js" data-options="${options}"></script>`);
  });
}

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function listen(listener: RequestListener): Promise<PageServer> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
