import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../../src/operation/cli/listen.ts';
import { measuringAt } from '../../src/operation/cli/metrics-server.ts';

const other = createServer();
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen({ port: 0, host: '127.0.0.1' }, resolve));
  ({ port } = other.address() as AddressInfo);
});
afterAll(() => other.close());

it('names the option of the listener whose port is taken', async () => {
  await expect(listen(() => undefined, null, port)).rejects.toThrow(
    `Port ${port} is already in use; choose another with --port (PORTICO_PORT).`,
  );
  const measured = { db: null as never, pool: null, version: '0', countries: [], process: () => null as never };
  await expect(
    measuringAt({ host: null, port }, measured, { failing: () => Promise.resolve([]), closing: false }),
  ).rejects.toThrow(`Port ${port} is already in use; choose another with --metrics-port (PORTICO_METRICS_PORT).`);
});
