import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as eventsHandled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import { withHealth } from '#provider/operation/health/listener.ts';

const NEVER_MS = 3_600_000;

describe('a server that closes', () => {
  const closing = (quietMs: number, longestMs: number) => {
    const drain = new ConnectionDrain(quietMs, longestMs);
    const hurry = new AbortController();
    let isQuiet = false;
    const done = drain.untilQuiet(hurry.signal).then(() => (isQuiet = true));
    return { drain, hurry, done, isQuiet: () => isQuiet };
  };

  it('accepts connections for some time after the last request, and ends at once in a hurry', async () => {
    const { drain, hurry, done, isQuiet } = closing(NEVER_MS, 2 * NEVER_MS);
    drain.arrived();
    await eventsHandled();
    expect(isQuiet()).toBe(false);
    hurry.abort();
    await done;
  });

  it('is quiet when no request came in that time', () => closing(1, NEVER_MS).done);

  it('does not wait for longer than its limit', () => closing(NEVER_MS, 1).done);

  it('says so to proxies that ask with their requests, and only to them before the drain ends', async () => {
    const drain = new ConnectionDrain();
    const health = {
      failing: () => Promise.resolve(drain.active ? (['stopping'] as const) : []),
      get closing() {
        return drain.closing;
      },
    };
    const server = createServer(withHealth(health, (_, response) => response.writeHead(404).end()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;
    const statuses = async () => [(await fetch(url)).status, (await fetch(`${url}?only=closing`)).status];
    expect(await statuses()).toEqual([200, 200]);
    drain.begin();
    expect(await statuses()).toEqual([503, 200]);
    const hurry = new AbortController();
    const quiet = drain.untilQuiet(hurry.signal);
    expect(await statuses()).toEqual([503, 503]);
    hurry.abort();
    await quiet;
    server.close();
  });
});
