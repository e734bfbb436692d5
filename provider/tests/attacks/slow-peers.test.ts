import { getRequestListener } from '@hono/node-server';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { Connections, type ConnectionLimits } from '#provider/operation/server/connections.ts';
import { listen, type ListeningServer } from '#provider/operation/server/listen.ts';
import { Bodies, type BodyLimits } from '#provider/base/http/bodies.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { wireTo } from '../kit/kill-journal.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** More slow requests than the server handles at once. */
const SLOW = 520;
const HALF = `POST /sdk/v1/passwords/authenticate HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(PUBLIC_TOKEN, PUBLIC_TOKEN)}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"email":"`;
const PATIENT = { headersMs: 60_000, requestMs: 60_000, idleMs: 60_000, checkMs: 60_000 };
const BODIES: BodyLimits = { maxBytes: 1 << 25, maxBodies: 1_500, totalMs: 60_000, stepBytes: 1_024, stepMs: 60_000 };
const CONNECTIONS: ConnectionLimits = { total: 2_000, perPeer: 256, fromLoopback: 2_000 };

interface SlowPeer {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<void>;
}

describe.each(EITHER_DATABASE)('slow peers, on %s', (_, url) => {
  const provider = suiteProvider(url);

  const servers: ListeningServer[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function serve(limits: Partial<BodyLimits> = {}, connectionLimits: Partial<ConnectionLimits> = {}) {
    const bodies = new Bodies({ ...BODIES, ...limits });
    const connections = new Connections({ ...CONNECTIONS, ...connectionLimits });
    const app = createApp({ ...provider.services, bodies });
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const server = await listen((req, res) => void listener(req, res), null, 0, { patience: PATIENT, connections });
    servers.push(server);
    return { bodies, connections, port: server.port };
  }

  function open(port: number, first: string): SlowPeer {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(first);
    sockets.add(socket);
    let text = '';
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return { socket, text: () => text, closed };
  }

  const openMany = (count: number, port: number, first = HALF) =>
    Array.from({ length: count }, () => open(port, first));
  const still = (all: readonly SlowPeer[]) => all.filter(({ socket }) => !socket.closed).length;

  async function logIn(port: number, email: string): Promise<void> {
    const wire = wireTo(`http://127.0.0.1:${port}`);
    const { method_id } = (await wire.call('POST', '/otps/email/login_or_create', { email }))['data'];
    const { code } = await wire.latest(email);
    const redeem = { token: code, method_id, session_duration_minutes: 60 };
    const { session_token } = (await wire.call('POST', '/otps/authenticate', redeem))['data'];
    expect((await wire.call('GET', '/users/me', undefined, session_token))['data'].emails[0].email).toBe(email);
  }

  it(`${SLOW} unfinished bodies do not keep people from logging in`, async () => {
    const { bodies, port } = await serve();
    const slow = openMany(SLOW, port);
    await expect.poll(() => bodies.pending).toBe(SLOW);
    await logIn(port, 'beside@example.com');
    expect(still(slow)).toBe(SLOW);
  });

  soakIt('a body that never ends or drips is cut off in time with an error', async () => {
    const { bodies, port } = await serve({ totalMs: 1_500, stepMs: 400 });
    const [idle, dripping, steady] = [open(port, HALF), open(port, HALF), open(port, HALF)];
    const drops = setInterval(() => {
      dripping.socket.write('a');
      steady.socket.write('a'.repeat(1_100));
    }, 50);
    const first = await Promise.race([idle, dripping, steady].map(async (slow) => slow.closed.then(() => slow)));
    expect(first).not.toBe(steady);
    await Promise.all([idle.closed, dripping.closed, steady.closed]);
    clearInterval(drops);
    for (const { text } of [idle, dripping, steady]) {
      expect(text()).toMatch(/^HTTP\/1\.1 408 /u);
      expect(text()).toContain('request_timeout');
    }
    expect(bodies.pending).toBe(0);
    await logIn(port, 'after@example.com');
  });

  soakIt('a peer with too many bodies loses its oldest ones, and no other peer loses any', async () => {
    const { bodies, port } = await serve({ maxBodies: 20 });
    const old = openMany(20, port);
    await expect.poll(() => bodies.pending).toBe(20);
    const young = openMany(20, port);
    await Promise.all(old.map(({ closed }) => closed));
    expect(old.every(({ text }) => text().startsWith('HTTP/1.1 408 '))).toBe(true);
    await logIn(port, 'room@example.com');
    // A login has three requests, each of which displaced one slow body.
    expect(still(young)).toBeGreaterThanOrEqual(17);
  });

  soakIt('a peer with too many bytes loses its oldest bodies, and no other peer loses any', async () => {
    const { bodies, port } = await serve({ maxBytes: 10 * 30_000 });
    const fat = openMany(9, port, HALF + 'x'.repeat(29_000));
    await expect.poll(() => bodies.pending).toBe(9);
    const more = openMany(9, port, HALF + 'x'.repeat(29_000));
    await Promise.all(fat.slice(0, 7).map(({ closed }) => closed));
    await logIn(port, 'bytes@example.com');
    expect(still(more)).toBeGreaterThanOrEqual(8);
  });

  it.each([
    ['nothing', ''],
    ['half of a header', 'POST /sdk/v1/users/search HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    ['half of a body', HALF],
  ])('a peer whose many sockets say %s keeps few of them, and does not lock its neighbours out', async (__, first) => {
    const { connections, port } = await serve({}, { fromLoopback: 30 });
    const slow = openMany(60, port, first);
    await expect.poll(() => still(slow)).toBe(30);
    expect(connections.open).toBeLessThanOrEqual(30);
    await logIn(port, 'neighbour@example.com');
    expect(connections.open).toBeLessThanOrEqual(30);
  });

  soakIt('many sockets of many peers displace their own oldest ones', async () => {
    const { connections, port } = await serve({}, { total: 40 });
    const slow = openMany(100, port);
    await expect.poll(() => still(slow)).toBe(40);
    await logIn(port, 'last@example.com');
    expect(connections.open).toBeLessThanOrEqual(40);
    for (const { socket } of slow) socket.destroy();
    await Promise.all(slow.map(({ closed }) => closed));
    await logIn(port, 'counted@example.com');
    await expect.poll(() => connections.open).toBeLessThanOrEqual(10);
  });
});
