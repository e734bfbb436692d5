import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Client } from 'stytch';
import { vi } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { checked, expectDescribed } from '#tests/openapi/checked.ts';
import type { AppOptions } from '#provider/operation/app.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { basic, makeProvider, type Fields, type Provider } from './harness.ts';

/** A provider that listens on loopback, and the public backend SDK of this wire, unmodified, that calls it. */
export type Backend = Awaited<ReturnType<typeof startBackend>>;

/** Start one for a file and database, and close it. The clock starts at the machine's time: the SDK checks JWTs by it. */
export async function startBackend(databaseUrl?: string, options: Partial<AppOptions> = {}) {
  const provider = await makeProvider(databaseUrl, options);
  provider.clock.time = Date.now();
  return serveBackend(provider);
}

/**
 * As `startBackend`, for a provider that another kit made. All requests and responses are compared with the OpenAPI description, and
 * `close` rejects if some do not match.
 */
export async function serveBackend(provider: Provider) {
  const listener = getRequestListener(checked(provider.app.fetch), { overrideGlobalObjects: false });
  const server = createServer((req, res) => void listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const { project_id } = provider.services.project;

  return {
    provider,
    url,
    client: clientAt(url, { project_id }),

    /** The SDK with another secret or project. */
    clientWith: (credentials: { readonly secret?: string; readonly project_id?: string }) => clientAt(url, credentials),

    /** A request as no SDK sends it. */
    async raw(method: string, path: string, init: { body?: string; headers?: Record<string, string> } = {}) {
      const { body, headers } = init;
      const reply = await fetch(new URL(path, url), {
        method,
        headers: {
          authorization: basic(project_id, DEV_SECRET),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, body: (text === '' ? {} : JSON.parse(text)) as Fields };
    },

    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await provider.close();
      expectDescribed();
    },
  };
}

function clientAt(url: string, { project_id = DEMO_PROJECT.project_id, secret = DEV_SECRET }): Client {
  // It warns of every address but the hosted one.
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  const client = new Client({ project_id, secret, env: url });
  warning.mockRestore();
  return client;
}

/** What a call is refused with: status, type and what else the SDK tells. Rejects when the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<Fields> {
  try {
    await call;
  } catch (error) {
    if (typeof (error as Fields)['error_type'] === 'string') return error as Fields;
    throw error;
  }
  throw new Error('The call was not refused.');
}
