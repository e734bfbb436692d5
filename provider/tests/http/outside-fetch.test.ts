import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublicAddress, outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

const inside = outsideFetch({ allowPrivate: true, timeoutMs: PATIENCE_MS, maxBytes: 1_000 });

describe('calls to other services', () => {
  it('sends the method, headers and form, and returns status, headers and body', async () => {
    const url = await serve((request, response) => {
      const parts: string[] = [`${request.method} ${request.url} ${request.headers['content-type']}`];
      request.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
      request.on('end', () => response.writeHead(201, { 'X-Kind': 'form' }).end(parts.join('\n')));
    });
    const reply = await inside(`${url}/verify?a=1`, { method: 'POST', body: new URLSearchParams({ secret: 'ä b' }) });
    expect([reply.status, reply.headers.get('x-kind')]).toEqual([201, 'form']);
    expect(await reply.text()).toBe(
      'POST /verify?a=1 application/x-www-form-urlencoded;charset=UTF-8\nsecret=%C3%A4+b',
    );
  });

  it('returns a redirect instead of following it', async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      calls += 1;
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    expect((await inside(url)).status).toBe(302);
    expect(calls).toBe(1);
  });

  it('stops reading a reply that is too long', async () => {
    const url = await serve((_request, response) => {
      response.on('error', () => undefined);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(500)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(inside(url)).rejects.toMatchObject({ failure: 'too_large' });
  });

  it('limits the time of the whole exchange, also when the reply drips', async () => {
    const url = await serve((_request, response) => {
      response.write('x');
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(drip));
    });
    const impatient = outsideFetch({ allowPrivate: true, timeoutMs: 100 });
    await expect(impatient(url)).rejects.toMatchObject({ failure: 'timed_out' });
  });

  it('repeats a GET, and only a GET, when the service has closed the connection of the pool', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.method ?? '');
      // A connection that has answered once is cut as soon as it is used again.
      if (Reflect.get(request.socket, 'used') === true) request.socket.destroy();
      else response.end('ok');
      Reflect.set(request.socket, 'used', true);
    });
    expect(await (await inside(url)).text()).toBe('ok');
    expect(await (await inside(url)).text()).toBe('ok');
    expect(seen).toEqual(['GET', 'GET', 'GET']);
    expect(await (await inside(url, { method: 'POST', body: 'x' })).text()).toBe('ok');
    expect(seen).toEqual(['GET', 'GET', 'GET', 'POST']);
  });

  it('rejects with the reason of the caller that gives up', async () => {
    const url = await serve(() => undefined);
    const abort = new AbortController();
    const pending = inside(url, { signal: abort.signal });
    abort.abort(new Error('the server stops'));
    await expect(pending).rejects.toThrow('the server stops');
  });

  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'ftp://example.com/',
  ])('does not call %s for others', async (url) => {
    await expect(outsideFetch()(url)).rejects.toMatchObject({ failure: 'forbidden_address' });
  });

  it('does not connect to a name that resolves to a private address', async () => {
    await expect(outsideFetch()('https://localhost/')).rejects.toMatchObject({ failure: 'forbidden_address' });
  });

  it.each(['8.8.8.8', '2606:4700::1111', '64:ff9b::8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '10.1.2.3',
    '100.64.0.1',
    '0.0.0.0',
    'fd00::1',
    'fe80::1%eth0',
    '64:ff9b::10.0.0.1',
    '224.0.0.1',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
