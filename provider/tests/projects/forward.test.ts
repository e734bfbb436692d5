import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Bodies } from '#provider/base/http/bodies.ts';
import { closeRouters, openAt, sendBytes, smallRouter } from '../kit/small-router.ts';
import { soakIt } from '#tests/soak-tests.ts';

type Router = Awaited<ReturnType<typeof smallRouter>>;
let router: Router;

beforeAll(async () => {
  router = await smallRouter();
});
afterAll(closeRouters);

describe('what a router passes on', () => {
  it('is the request and the reply as they are, without the fields of the connection', async () => {
    const headers = {
      'X-Two': ['a', 'b'],
      Connection: 'close, X-Secret-Hop, Content-Length',
      'X-Secret-Hop': '1',
      'Keep-Alive': 'timeout=9',
      TE: 'trailers',
      'Proxy-Authorization': 'Basic eA==',
      Cookie: 'a=b',
    };
    const reply = await router.ask('shop', '/a%2Fb?c=%20d', { method: 'POST', headers, body: 'x'.repeat(65_000) });
    const { rawHeaders, ...told } = reply.json();
    expect(told).toMatchObject({ project: 'shop', method: 'POST', url: '/a%2Fb?c=%20d', bytes: 65_000 });
    expect(rawHeaders.join('\n')).toMatch(/X-Two\na\nX-Two\nb/u);
    expect(told.headers).toMatchObject({ host: 'shop.example', cookie: 'a=b' });
    for (const name of ['x-secret-hop', 'te', 'proxy-authorization']) expect(told.headers).not.toHaveProperty(name);
    expect(reply).toMatchObject({ status: 200, statusMessage: 'Fine' });
    expect(reply.rawHeaders.join('\n')).toMatch(/X-Twice\n1\nX-Twice\n2/u);
    expect(reply.headers).not.toHaveProperty('x-hop');
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'keeps %s without a body one',
    async (method) => {
      const reply = await router.ask('shop', '/', { method });
      expect(reply.status).toBe(200);
      if (method !== 'HEAD') {
        expect(reply.json()).toMatchObject({ method, bytes: 0 });
        expect(reply.json().headers).not.toHaveProperty('transfer-encoding');
      }
    },
  );

  it('keeps a body of unknown length one', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' };
    expect((await router.ask('shop', '/', { method: 'DELETE', headers, body: 'abc' })).json()).toMatchObject({
      bytes: 3,
    });
  });

  it('streams a reply while it is made', async () => {
    const reply = await openAt(router.url, 'shop.example', '/stream');
    const [first] = (await once(reply, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: first\n\n');
    const second = once(reply, 'data');
    await router.ask('shop', '/go');
    expect(String(await second)).toBe('data: second\n\n');
    const ended = once(reply, 'end');
    router.router.endStreams();
    await ended;
  });

  soakIt('waits for a slow reader, and gives up a reply whose reader is gone', async () => {
    const reply = await openAt(router.url, 'shop.example', '/large');
    await once(reply, 'data');
    reply.destroy();
    const whole = await router.ask('shop', '/large');
    expect(whole.text).toHaveLength(8_000_000);
  });

  it('gives up an upload whose sender is gone, and goes on', async () => {
    const before = router.fleet.states;
    const sending = request(router.url, { method: 'POST', headers: { host: 'shop.example', 'content-length': 100 } });
    sending.on('error', () => undefined);
    await new Promise<void>((resolve) => void sending.write('half', () => resolve()));
    sending.destroy();
    expect((await router.ask('shop')).status).toBe(200);
    expect(router.fleet.states).toEqual(before);
  });

  it('closes the connection of a sender who is too slow, and starts no server for it', async () => {
    const bodies = new Bodies({ maxBytes: 1_000, maxBodies: 10, totalMs: 20, stepBytes: 100, stepMs: 20 });
    const own = await smallRouter({ bodies });
    const socket = connect(own.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 100\r\n\r\nhalf');
    let answer = '';
    socket.on('data', (part) => (answer += String(part)));
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /u);
    expect(answer).toMatch(/\r\nConnection: close\r\n/u);
    expect(own.starts('shop')).toEqual([]);
  });

  it('answers 413 for a body that no server takes, of a known length or not', async () => {
    const start = 'POST / HTTP/1.1\r\nHost: shop.example\r\n';
    const part = 'x'.repeat(70_000);
    for (const body of [
      'Content-Length: 65537\r\n\r\n',
      `Transfer-Encoding: chunked\r\n\r\n${part.length.toString(16)}\r\n${part}`,
    ]) {
      const answer = await sendBytes(router.port, start + body);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /u);
      expect(answer).toContain('"error_type":"request_too_large"');
    }
  });

  it('refuses so that a page can read why, on any origin', async () => {
    const headers = { origin: 'https://app.example' };
    const reply = await router.ask('unknown', '/', { headers });
    expect([reply.status, reply.headers]).toEqual([
      404,
      expect.objectContaining({
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('Retry-After'),
        vary: 'Origin',
      }),
    ]);
  });

  it('answers requests on one connection in order, also after a refused one', async () => {
    const socket = connect(router.port, '127.0.0.1');
    const get = (host: string): string => `GET /go HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    socket.write(get('shop.example') + get('unknown.example') + get('blog.example'));
    let answers = '';
    socket.on('data', (part) => (answers += String(part)));
    await vi.waitFor(() => {
      const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status]) => status);
      expect(statuses).toEqual(['200', '404', '200']);
    });
    socket.destroy();
  });

  soakIt('breaks a reply off where its server ended in the middle, and starts the server again', async () => {
    await router.ask('blog');
    await expect(router.ask('blog', '/break')).rejects.toThrow('aborted');
    expect((await router.ask('blog')).status).toBe(200);
    expect(router.starts('blog')).toHaveLength(2);
    expect(router.said('blog')).toContain('the server of a project ended by itself');
    expect(router.starts('shop')).toHaveLength(1);
  });

  soakIt('answers 503 with Retry-After where its server ended before the reply', async () => {
    const { status, headers, text } = await router.ask('blog', '/exit', { method: 'POST' });
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({
      status_code: 503,
      error_type: 'service_unavailable',
      error_message: expect.stringContaining('ended before it answered'),
    });
    expect((await router.ask('blog')).status).toBe(200);
  });

  soakIt('asks once more where a connection broke before the reply, but only what changes nothing', async () => {
    const own = await smallRouter();
    expect((await own.ask('shop', '/drop')).text).toBe('at attempt 2');
    const posted = await own.ask('shop', '/drop', { method: 'POST' });
    expect([posted.status, own.starts('shop').length]).toEqual([503, 1]);
  });

  soakIt('asks no third server where a request ends two', async () => {
    const own = await smallRouter();
    expect((await own.ask('shop', '/exit')).status).toBe(503);
    expect(own.starts('shop')).toHaveLength(2);
  });
});
