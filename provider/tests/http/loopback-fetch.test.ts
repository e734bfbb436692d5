import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { loopbackFetch } from '#provider/base/http/loopback-fetch.ts';

/** Where Node's `fetch` finds its way out; with `NODE_USE_ENV_PROXY` it leads to the proxy of the environment. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

describe('a call to a server of this machine', () => {
  it('does not go the way of the proxy that Node takes from the environment', async () => {
    const server = createServer((message, response) => {
      const { method, url, headers } = message;
      message.setEncoding('utf8');
      let body = '';
      message.on('data', (part: string) => (body += part));
      message.on('end', () => response.writeHead(201).end(`${method} ${url} ${headers.authorization} ${body}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/x`;
    const dispatch = vi.fn(() => {
      throw new Error('to the proxy');
    });
    const holder = globalThis as unknown as Record<symbol, unknown>;
    // Node sets it with the first call.
    await (await fetch(url)).text();
    const before = holder[DISPATCHER];
    holder[DISPATCHER] = { dispatch };
    try {
      await expect(fetch(url)).rejects.toThrow();
      expect(dispatch).toHaveBeenCalledTimes(1);
      const headers = { authorization: 'Bearer secret' };
      const reply = await loopbackFetch(url, { method: 'POST', headers, body: 'größe' });
      expect([reply.status, await reply.text()]).toEqual([201, 'POST /admin/x Bearer secret größe']);
      expect(dispatch).toHaveBeenCalledTimes(1);
    } finally {
      holder[DISPATCHER] = before;
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(loopbackFetch(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('and to another service never goes by the global fetch, which only scripts of pages use', () => {
    const sources = readdirSync('provider/src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const using = sources.filter((name) => {
      const text = readFileSync(join('provider/src', name), 'utf8');
      return /(?<![.\w])fetch\(/u.test(text) && !/\bconst fetch =|\bfetch: OutsideFetch/u.test(text);
    });
    expect(using.sort()).toEqual([
      'accounts/social/built-in/gsi.ts',
      'api/clientside/services-script.ts',
      'api/clientside/telemetry.ts',
      'dev/inbox-page.ts',
      'operation/operators/people/entry-page.ts',
    ]);
  });
});
