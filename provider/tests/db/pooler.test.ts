import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { isPooled } from '#provider/base/db/engine/pooler.ts';

/** An error message of PostgreSQL's protocol. */
function errorMessage(code: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** What `isPooled` finds out about a server that refuses every connection with this error. */
async function judged(code: string, text: string): Promise<boolean> {
  const server = createServer((socket) => socket.once('data', () => socket.end(errorMessage(code, text))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await isPooled(`postgresql://visitor@127.0.0.1:${port}/portico`);
  } finally {
    server.close();
  }
}

it.each([
  ['PgBouncer', '08P01', 'unsupported startup parameter in options: portico.direct'],
  ['Amazon RDS Proxy', '0A000', 'Feature not supported: RDS Proxy currently doesn’t support command-line options.'],
])('%s is known by its refusal of the parameter', async (_, code, text) => {
  expect(await judged(code, text)).toBe(true);
});

it('another refusal is passed on', async () => {
  await expect(judged('28P01', 'password authentication failed')).rejects.toThrow('password authentication failed');
});
