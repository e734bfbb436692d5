import { getRequestListener } from '@hono/node-server';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type ListeningServer } from '#provider/operation/server/listen.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { RAW_REQUESTS } from '../kit/raw-requests.ts';
import { wireTo } from '../kit/kill-journal.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** On a busy machine the requests of those who log in take more than a second, too. */
const PATIENCE = { headersMs: 2_000, requestMs: 3_000, idleMs: 1_000, checkMs: 200 };
const SLOW = SOAK ? 500 : 100;

interface RawResponse {
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Sends the bytes and reads until the server closes. */
function send(port: number, bytes: string | Buffer): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    let text = '';
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gmu)].map(([, status]) => Number(status));
      resolve({ statuses, text });
    });
  });
}

describe('raw sockets', () => {
  let provider: Provider;
  let server: ListeningServer;
  beforeAll(async () => {
    provider = await makeProvider(ANY_DATABASE);
    const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
    server = await listen((req, res) => void listener(req, res), null, 0, { patience: PATIENCE });
  });
  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  const logIn = async (email: string): Promise<void> => {
    const wire = wireTo(`http://127.0.0.1:${server.port}`);
    const { method_id } = (await wire.call('POST', '/otps/email/login_or_create', { email }))['data'];
    const { code } = await wire.latest(email);
    const redeem = { token: code, method_id, session_duration_minutes: 60 };
    const { session_token } = (await wire.call('POST', '/otps/authenticate', redeem))['data'];
    expect((await wire.call('GET', '/users/me', undefined, session_token))['data'].emails[0].email).toBe(email);
  };

  it('at least sixty malformed requests are tested', () => {
    expect(RAW_REQUESTS.length).toBeGreaterThanOrEqual(60);
  });

  it.each(RAW_REQUESTS)(
    '%s gets its answer, the socket is closed, and the next one works',
    async (_, bytes, answers) => {
      const { statuses, text } = await send(server.port, bytes);
      expect(statuses, text).toEqual(answers);
      expect(text).not.toMatch(/ {4}at |node_modules|Error:/u);
      const next = await send(
        server.port,
        'GET /errors/invalid_email HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      );
      expect(next.statuses).toEqual([200]);
    },
  );

  soakIt(`users log in beside ${SLOW} slow sockets, which are cut off`, async () => {
    const sockets = Array.from({ length: SLOW }, (_, index) => openSlow(server.port, index));
    const connected = await Promise.all(sockets.map(({ connected }) => connected));
    expect(connected.every(Boolean)).toBe(true);
    const dripping = setInterval(() => sockets.forEach(({ drip }) => drip()), 100);
    await Promise.all(['a', 'b', 'c'].map((name) => logIn(`${name}@example.com`)));
    await Promise.race([
      Promise.all(sockets.map(({ closed }) => closed)),
      sleep(PATIENCE_MS, undefined, { ref: false }),
    ]);
    clearInterval(dripping);
    expect(sockets.filter(({ socket }) => !socket.closed)).toHaveLength(0);
    await logIn('after@example.com');
  });
});

/** What a slow one says first, and whether a byte follows now and then. */
const SLOWNESS: readonly (readonly [first: string, drips: boolean])[] = [
  ['', false],
  ['POST /sdk/v1/users/search HTTP/1.1\r\nHost: localhost\r\nX-A: ', true],
  [
    'POST /sdk/v1/users/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
    true,
  ],
  ['GET /errors/invalid_email HTTP/1.1\r\nHost: localhost\r\n\r\n', false],
];

interface SlowSocket {
  readonly socket: Socket;
  readonly connected: Promise<boolean>;
  readonly closed: Promise<void>;
  readonly drip: () => void;
}

function openSlow(port: number, index: number): SlowSocket {
  const [first, drips] = SLOWNESS[index % SLOWNESS.length] ?? ['', false];
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(first));
  socket.on('error', () => undefined);
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const connected = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  return { socket, connected, closed, drip: () => drips && socket.writable && socket.write('a') };
}
