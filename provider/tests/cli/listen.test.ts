import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { portOwner } from '../../src/base/port-owner.ts';
import { listen } from '../../src/operation/server/listen.ts';
import { measuringAt } from '../../src/operation/server/metrics-server.ts';

const other = createServer();
let port = 0;
/** Other systems do not say it. */
const OWNER = process.platform === 'linux' ? ` by process ${process.pid} \\(.+\\)` : '';

beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen({ port: 0, host: '127.0.0.1' }, resolve));
  ({ port } = other.address() as AddressInfo);
});
afterAll(() => other.close());

it('names the option of the listener whose port is taken', async () => {
  await expect(listen(() => undefined, null, port)).rejects.toThrow(
    new RegExp(`^Port ${port} is already in use${OWNER}; choose another with --port \\(PORTICO_PORT\\)\\.$`, 'u'),
  );
  const measured = { db: null as never, pool: null, version: '0', countries: [], process: () => null as never };
  await expect(
    measuringAt({ host: null, port }, measured, { failing: () => Promise.resolve([]), closing: false }),
  ).rejects.toThrow('choose another with --metrics-port (PORTICO_METRICS_PORT).');
});

it('names who has a port, without arguments, which may be secrets', async () => {
  const code = `require('node:http').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) });`;
  const child = spawn(process.execPath, ['--eval', code, 'secret=5', '/srv/app/main.js'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  expect(portOwner(Number(text.toString()))).toBe(
    process.platform === 'linux' ? ` by process ${child.pid} (node main.js)` : '',
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(portOwner(Number(text.toString()))).toBe('');
});
