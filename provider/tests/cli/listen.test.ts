import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { portOwner } from '#provider/base/port-owner.ts';
import { listen } from '#provider/operation/server/listen.ts';
import { measuringAt } from '#provider/operation/server/metrics-server.ts';

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

it('names the option of an address that this machine does not have', async () => {
  await expect(listen(() => undefined, '192.0.2.1', 0)).rejects.toThrow(
    'Cannot listen on 192.0.2.1: EADDRNOTAVAIL; see --host (PORTICO_HOST).',
  );
});

describe('a system that refuses a socket', () => {
  /** Every attempt to listen at the address fails with the code. */
  function refuseAt(address: string, code: string): void {
    const { listen: open } = Server.prototype;
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function refused(this: Server, ...given) {
      const [{ host }] = given as unknown as readonly [{ readonly host: string }];
      if (host !== address) return open.apply(this, given);
      queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
      return this;
    });
  }

  it('because of its port names the ports that every user may have', async () => {
    refuseAt('127.0.0.1', 'EACCES');
    await expect(listen(() => undefined, null, 443)).rejects.toThrow(
      'Port 443 may not be used by this user; choose one from 1024 on with --port (PORTICO_PORT).',
    );
  });

  it('because it has no IPv6 is served on IPv4 alone', async () => {
    refuseAt('::1', 'EADDRNOTAVAIL');
    const server = await listen((_, response) => void response.end('here'), null, 0);
    expect(await (await fetch(`http://127.0.0.1:${server.port}`)).text()).toBe('here');
    await server.close();
  });

  it('because another server has the port at one of both addresses keeps neither', async () => {
    const free = await listen(() => undefined, '127.0.0.1', 0);
    await free.close();
    refuseAt('::1', 'EADDRINUSE');
    await expect(listen(() => undefined, null, free.port)).rejects.toThrow(`Port ${free.port} is already in use`);
    await (await listen(() => undefined, '127.0.0.1', free.port)).close();
  });

  it('is asked for another port where any will do', async () => {
    const { listen: open } = Server.prototype;
    const refused: number[] = [];
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function once(this: Server, ...given) {
      const [{ host, port: wanted }] = given as unknown as readonly [{ readonly host: string; readonly port: number }];
      if (host !== '::1') return open.apply(this, given);
      const code = refused.length === 0 ? 'EADDRINUSE' : 'EADDRNOTAVAIL';
      refused.push(wanted);
      queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
      return this;
    });
    const server = await listen(() => undefined, null, 0);
    expect(refused).toHaveLength(2);
    expect(server.port).toBe(refused[1]);
    await server.close();
  });
});

it('names who has a port, without arguments, which may be secrets', async () => {
  const code = `require('node:http').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) });`;
  const child = spawn(process.execPath, ['--eval', code, 'secret=5', '--key=5.js', '/srv/app/main.js'], {
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

it('names who has a port at all addresses, those of IPv6 too', async () => {
  const everywhere = createServer();
  await new Promise<void>((resolve) => void everywhere.listen(0, resolve));
  const { port: taken } = everywhere.address() as AddressInfo;
  expect(portOwner(taken)).toMatch(new RegExp(`^${OWNER}$`, 'u'));
  await new Promise((resolve) => everywhere.close(resolve));
});

it('names who has one of the ports that apps often have, such as 3000', async () => {
  const app = createServer();
  const opens = (wanted: number): Promise<boolean> =>
    new Promise((resolve) => {
      app.once('error', () => resolve(false));
      app.listen(wanted, '127.0.0.1', () => resolve(true));
    });
  let taken = 3_900;
  while (!(await opens(taken))) taken += 1;
  expect(taken).toBeLessThan(4_096);
  expect(portOwner(taken)).toMatch(new RegExp(`^${OWNER}$`, 'u'));
  await new Promise((resolve) => app.close(resolve));
});
