import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { closeRouters, sendBytes, smallRouter } from '../kit/small-router.ts';
import { soakIt } from '#tests/soak-tests.ts';

afterEach(closeRouters);

const FORGED = {
  'X-Forwarded-For': '203.0.113.9',
  'x-forwarded-host': 'blog.example',
  'X-FORWARDED-PROTO': 'https',
};

describe('a visitor of a router', () => {
  it('cannot choose the address, the scheme or the host that the server of the project gets', async () => {
    const router = await smallRouter();
    const truth = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'shop.example' };
    for (const connection of ['keep-alive', 'X-Forwarded-For, X-Forwarded-Host', 'x-forwarded-proto, close']) {
      const reply = await router.ask('shop', '/', { headers: { ...FORGED, connection } });
      expect(reply.json()).toMatchObject({ project: 'shop', headers: truth });
    }
    const many = { 'X-Forwarded-For': ['203.0.113.9', '198.51.100.7'] };
    expect((await router.ask('shop', '/', { headers: many })).json().headers).toMatchObject(truth);
  });

  it('is named by a trusted proxy alone, by the last address that it added', async () => {
    const router = await smallRouter({ trustProxy: 'loopback' });
    const headers = {
      'X-Forwarded-For': '203.0.113.9, 198.51.100.7',
      'X-Forwarded-Proto': 'http, https',
      'X-Forwarded-Host': 'shop.example, blog.example',
    };
    const reply = await router.ask('shop', '/', { headers });
    expect(reply.json()).toMatchObject({
      project: 'blog',
      headers: { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'blog.example' },
    });
  });

  soakIt('cannot hide a request in another one', async () => {
    const router = await smallRouter();
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: blog.example\r\n\r\n';
    const told = await router.ask('shop', '/', {
      method: 'GET',
      headers: { 'Content-Length': hidden.length },
      body: hidden,
    });
    expect(told.json()).toMatchObject({ project: 'shop', url: '/', bytes: hidden.length });
    const chunked = 'Transfer-Encoding: chunked\r\n';
    for (const fields of [
      `Content-Length: 5\r\n${chunked}`,
      `${chunked}Content-Length: 5\r\n`,
      'Content-Length: 5\r\nContent-Length: 60\r\n',
      'Content-Length: +5\r\n',
      'Transfer-Encoding: xchunked\r\n',
      'Transfer-Encoding: chunked, gzip\r\n',
      'Transfer-Encoding : chunked\r\n',
      'X: a\n\nGET /hidden HTTP/1.1\r\n',
    ]) {
      const answers = await sendBytes(
        router.port,
        `POST / HTTP/1.1\r\nHost: shop.example\r\n${fields}\r\n0\r\n\r\n${hidden}`,
      );
      expect(answers, fields).toMatch(/^HTTP\/1\.1 400 /u);
      expect(answers, fields).not.toContain('HTTP/1.1 200');
    }
    // A field of the connection cannot take the length away, by which the server knows the end.
    const taken = `POST /own HTTP/1.1\r\nHost: shop.example\r\nConnection: content-length, host, close\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
    expect(await sendBytes(router.port, taken)).toContain(`"bytes":${hidden.length}`);
    expect(router.starts('blog')).toEqual([]);
  });

  soakIt('gets only the servers started that are there, and one of each', async () => {
    const router = await smallRouter({ most: 1 });
    const hosts = Array.from({ length: 60 }, (_, index) => (index % 30 === 0 ? 'shop' : `none-${index}`));
    const statuses = await Promise.all(hosts.map(async (host) => (await router.ask(host)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 404)).toHaveLength(58);
    expect(router.starts('shop')).toHaveLength(1);
  });

  soakIt('holds no server with a request that it never ends sending', async () => {
    const router = await smallRouter({ most: 1 });
    const slow = connect(router.port, '127.0.0.1');
    slow.write('POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 100\r\n\r\nhalf');
    const chunked = connect(router.port, '127.0.0.1');
    chunked.write('POST / HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n');
    // Both have come when a whole one after them is answered.
    expect((await router.ask('shop')).status).toBe(200);
    expect((await router.ask('blog')).status).toBe(200);
    slow.destroy();
    chunked.destroy();
  });
});
