import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeRouters, smallRouter } from '../kit/small-router.ts';
import { soakIt } from '#tests/soak-tests.ts';

const sockets: Socket[] = [];
afterEach(async () => {
  // A router that closes waits for its connections.
  for (const socket of sockets.splice(0)) socket.destroy();
  await closeRouters();
});

/** As many as wait at most. */
const MOST_WAITING = 500;

/** Requests on one connection, whose replies are never read. */
function askUnread(port: number, ...hosts: readonly string[]) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => undefined);
  for (const host of hosts)
    socket.write(`GET ${host === 'shop' ? '/large' : '/'} HTTP/1.1\r\nHost: ${host}.example\r\n\r\n`);
}

describe('T237: who holds the servers of a router', () => {
  it('with a reply that is never read is cut off, and other projects get the place', async () => {
    const router = await smallRouter({ most: 1, answerMs: 1500 });
    askUnread(router.port, 'shop');
    await router.ask('shop');
    expect((await router.ask('blog')).status).toBe(200);
  });

  it('with a reply that waits behind an unread one holds no server: it has nothing more to do', async () => {
    const router = await smallRouter({ most: 2, projects: ['shop', 'blog', 'wiki'] });
    askUnread(router.port, 'shop', 'blog');
    await Promise.all([router.ask('shop'), router.ask('blog')]);
    expect((await router.ask('wiki')).status).toBe(200);
    expect(router.fleet.states).toContainEqual({ project: 'shop', isRunning: true });
  });

  soakIt('with a server that hangs before it listens loses it, and other projects get the place', async () => {
    const router = await smallRouter({ most: 1, startMs: 1000, waitMs: 100_000 });
    writeFileSync(join(router.root, 'shop', 'hang'), '');
    const hanging = router.ask('shop').catch(() => undefined);
    await router.ask('unknown');
    expect((await router.ask('blog')).status).toBe(200);
    expect(router.logged).toContainEqual(
      expect.objectContaining({
        project: 'shop',
        message: 'the server of a project did not start',
        exit: 'SIGKILL',
      }),
    );
    await router.close();
    await hanging;
  });

  it(`with more than ${MOST_WAITING} requests for a server that does not start is refused at once`, async () => {
    const router = await smallRouter();
    writeFileSync(join(router.root, 'shop', 'hang'), '');
    const statuses: number[] = [];
    const asked = Array.from({ length: MOST_WAITING + 10 }, async () => {
      const reply = await router.ask('shop').catch(() => null);
      if (reply !== null) statuses.push(reply.status);
    });
    await vi.waitFor(() => expect(statuses).toEqual(Array.from({ length: 10 }, () => 503)));
    expect((await router.ask('blog')).status).toBe(200);
    await router.close();
    await Promise.all(asked);
  });
});
