/** The pages, and on another origin a stub of the API that answers as a project without special settings. */
import { createServer, type RequestListener } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { BuiltPage } from './host-pages.ts';
import { paced, type SlowNetwork } from './slow-network.ts';
import { productReply } from './product-stubs.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const BOOTSTRAP = {
  project_name: 'Bench',
  vertical: 'CONSUMER',
  disable_sdk_watermark: false,
  cname_domain: null,
  email_domains: ['bench.example'],
  captcha_settings: { enabled: false },
  password_config: { luds_complexity: 3, luds_minimum_count: 8 },
  pkce_required_for_email_magic_links: false,
  pkce_required_for_password_resets: false,
  pkce_required_for_oauth: false,
  pkce_required_for_sso: false,
  slug_pattern: null,
  create_organization_enabled: false,
  dfp_protected_auth_enabled: false,
  dfp_protected_auth_mode: null,
  rbac_policy: { roles: [{ role_id: 'stytch_user', permissions: [] }], resources: [] },
  siwe_required_for_crypto_wallets: false,
};

async function listen(handler: RequestListener): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer(handler);
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Static files in Brotli, never cached. The root is an empty page. All but HTML waits for `held`. */
function siteOf(pages: readonly BuiltPage[], held: Promise<void>): RequestListener {
  const packed = new Map<string, Buffer>();
  return ({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname);
    const page = pages.find(({ name }) => path.startsWith(`/${name}/`));
    const rest = page === undefined ? '' : normalize(path.slice(page.name.length + 2)) || 'index.html';
    const file = page === undefined ? path : join(page.folder, rest === '.' ? 'index.html' : rest);
    try {
      if (!packed.has(file))
        packed.set(file, brotliCompressSync(path === '/' ? '<!doctype html>' : readFileSync(file)));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const type = path.endsWith('/') ? 'text/html' : (TYPES[extname(file)] ?? 'application/octet-stream');
    const headers = { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'no-store' };
    const send = (): void => void response.writeHead(200, headers).end(packed.get(file));
    if (type === 'text/html') send();
    else void held.then(send);
  };
}

const api: RequestListener = (request, response) => {
  const { url = '/', method, headers } = request;
  const cors = {
    'access-control-allow-origin': headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  };
  const data = url.includes('/projects/bootstrap/') ? BOOTSTRAP : {};
  const { type = 'application/json', body = JSON.stringify({ request_id: 'r', status_code: 200, data }) } =
    productReply(url) ?? {};
  request.resume().on('end', () => {
    if (method === 'OPTIONS') response.writeHead(204, cors).end();
    else response.writeHead(200, { ...cors, 'content-type': type }).end(body);
  });
};

export interface Servers {
  /** An empty document of the pages' origin. */
  readonly blank: string;
  readonly urlOf: (page: BuiltPage) => string;
  readonly close: () => void;
}

/**
 * @param held until when the replies other than HTML wait. Default: they do not
 * @param network between the browser and both servers. Default: this machine's own
 */
export async function serve(
  pages: readonly BuiltPage[],
  held = Promise.resolve(),
  network?: SlowNetwork,
): Promise<Servers> {
  const over = network ? paced(network) : (listener: RequestListener) => listener;
  const site = await listen(over(siteOf(pages, held)));
  const stub = await listen(over(api));
  return {
    blank: `${site.url}/`,
    urlOf: ({ name }) => `${site.url}/${encodeURIComponent(name)}/?api=${encodeURIComponent(stub.url)}`,
    close: () => [site, stub].forEach(({ close }) => close()),
  };
}
