import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundleHost } from '../../bench/host-bundle.ts';
import { ROOT } from '#scripts/lib/root.mjs';

/** The strictest page that the widget is promised to work on. */
export const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

/** What stands in for the wire: by path, the `data` of the reply. */
const REPLIES: Readonly<Record<string, object>> = {
  '/sdk/v1/otps/email/login_or_create': { method_id: 'm' },
  '/sdk/v1/otps/sms/login_or_create': { method_id: 'm' },
  '/sdk/v1/users/search': { userType: 'new' },
};

export interface Site {
  readonly url: string;
  close(): void;
}

/** Serves the pages (by path), the scripts (by path) and the built package under the strict policy, on loopback. */
export async function strictSite(
  pages: Readonly<Record<string, string>>,
  scripts: ReadonlyMap<string, string>,
): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const path = url.split('?')[0] ?? '/';
    const send = (type: string, body: string | Buffer): void =>
      void response.writeHead(200, { 'content-type': type, 'content-security-policy': STRICT_POLICY }).end(body);
    const page = pages[path];
    const script = scripts.get(path);
    if (page !== undefined) send('text/html', page);
    else if (script !== undefined) send('text/javascript', script);
    else if (path.startsWith('/dist/')) send('text/javascript', readFileSync(join(ROOT, path)));
    else if (path.endsWith('.ico')) send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    else send('application/json', JSON.stringify({ data: { status_code: 200, request_id: 'r', ...REPLIES[path] } }));
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A host's own bundle of the built package, with React: every file of it by its path. `/host.js` is the first. */
export async function bundled(source: string): Promise<Map<string, string>> {
  const dist = (name: string): string => join(ROOT, 'dist', name);
  const chunks = await bundleHost(source, {
    input: 'host',
    alias: [
      { find: /^portico$/, replacement: dist('index.js') },
      { find: /^portico\/react$/, replacement: dist('react.js') },
      { find: /^portico\/(headless|adapters)$/, replacement: dist('$1.js') },
    ],
    output: { entryFileNames: 'host.js', chunkFileNames: '[name]-[hash].js' },
  });
  return new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
}
