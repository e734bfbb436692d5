import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { paced } from '../../../bench/peers/slow-network.ts';

/** Replies with as many bytes as the path says; `/0` has no body. */
const sized: RequestListener = ({ url = '/' }, response) => {
  const body = Buffer.alloc(Number(url.slice(1)), 7);
  if (body.length === 0) response.writeHead(204).end();
  else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body);
};

describe('the slow network of the comparison', () => {
  it('carries replies of any size, several at once, whole', async () => {
    const server = createServer(paced({ latency: 5, bytesPerSecond: 2_000_000 })(sized));
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
    try {
      const { port } = server.address() as AddressInfo;
      const get = async (size: number): Promise<number[]> => {
        const reply = await fetch(`http://127.0.0.1:${port}/${size}`);
        const bytes = new Uint8Array(await reply.arrayBuffer());
        return [reply.status, bytes.length, bytes.filter((byte) => byte === 7).length];
      };
      expect(await Promise.all([get(40_000), get(1), get(0), get(1_400), get(9_999)])).toEqual([
        [200, 40_000, 40_000],
        [200, 1, 1],
        [204, 0, 0],
        [200, 1_400, 1_400],
        [200, 9_999, 9_999],
      ]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('lets a short reply pass a long one that began before it', async () => {
    const ended: number[] = [];
    const server = createServer(
      paced({ latency: 0, bytesPerSecond: 200_000 })((request, response) => {
        response.once('finish', () => ended.push(Number(request.url?.slice(1))));
        sized(request, response);
      }),
    );
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
    try {
      const { port } = server.address() as AddressInfo;
      const get = async (size: number): Promise<ArrayBuffer> =>
        (await fetch(`http://127.0.0.1:${port}/${size}`)).arrayBuffer();
      const long = get(60_000);
      await get(100);
      await long;
      expect(ended).toEqual([100, 60_000]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
