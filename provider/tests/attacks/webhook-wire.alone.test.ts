import type * as Dns from 'node:dns';
import { createServer, type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EventCarrier } from '#provider/messages/webhooks/event-carrier.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { oneOf } from '#tests/soak.ts';
import { parcel, PATIENT } from '../kit/parcels.ts';

/** What the names of attackers resolve to, answer by answer; the last one stays. */
const names = vi.hoisted(() => ({ answers: [] as string[][], asked: 0 }));
vi.mock('node:dns', async (original) => {
  const actual = await original<typeof Dns>();
  const lookup = (hostname: string, options: object, callback: (...values: unknown[]) => void) => {
    if (!hostname.endsWith('.attacker.example')) return actual.lookup(hostname, options, callback as never);
    const given = names.answers[Math.min(names.asked, names.answers.length - 1)] ?? [];
    names.asked += 1;
    const addresses = given.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, addresses));
  };
  return { ...actual, lookup: lookup as unknown as LookupFunction };
});

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

interface Receiver {
  readonly port: number;
  readonly url: string;
  /** What came, of all connections together. */
  readonly text: () => string;
  readonly connections: () => number;
}

/** A receiver on a socket, which writes what it likes once a request has begun. */
async function receiver(reply: (socket: Socket) => void): Promise<Receiver> {
  let text = '';
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.once('data', () => reply(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/hooks`, text: () => text, connections: () => connections };
}

const carrierTo = (url: string, allowPrivate = true, patienceMs = PATIENCE_MS) =>
  new EventCarrier([{ url, secret: [SECRET], events: null }], { allowPrivate, patienceMs });
const event = (to: string) =>
  parcel({ channel: 'webhook', kind: 'webhook', to, subject: '', text: '{"type":"user.created"}' });
const deliver = (url: string, patienceMs?: number) => carrierTo(url, true, patienceMs).deliver(event(url), PATIENT);

const forever = (part: string | Buffer) => (socket: Socket) => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(part));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
};
const after = (head: string, rest: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(head);
  rest(socket);
};
const drip = (part: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(part), 20);
  socket.once('close', () => clearInterval(timer));
};
const say = (text: string) => (socket: Socket) => void socket.write(text);

const BOMB_BYTES = 50_000_000;
const BOMB = gzipSync(Buffer.alloc(BOMB_BYTES));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** The memory of this process without garbage, and without what the process keeps for later. */
function bytesInUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('a hostile receiver of webhooks', () => {
  // Each third one, which every run has, is another kind of trick.
  const ANSWERS: readonly (readonly [string, (socket: Socket) => void, string])[] = [
    [
      'a body without end',
      after('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', forever(`2000\r\n${'x'.repeat(8192)}\r\n`)),
      'sent',
    ],
    ['a refusal without end', after('HTTP/1.1 500 No\r\n\r\n', forever('x'.repeat(8192))), 'retry'],
    [
      'a length and chunks',
      say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
      'retry',
    ],
    [
      'a compressed bomb',
      after(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`,
        (socket) => void socket.write(BOMB),
      ),
      'sent',
    ],
    ['a body that drips', after('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', drip('x')), 'retry'],
    ['two lengths', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'), 'retry'],
    ['headers that drip', after('HTTP/1.1 200 OK\r\n', drip('X-A: b\r\n')), 'retry'],
    ['interim replies without end', forever('HTTP/1.1 103 Early Hints\r\n\r\n'), 'retry'],
    ['half of its body', after('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx', (socket) => socket.end()), 'retry'],
    ['headers without end', after('HTTP/1.1 200 OK\r\n', forever(`X-A: ${'b'.repeat(500)}\r\n`)), 'retry'],
    ['a header of a megabyte', say(`HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(1_000_000)}\r\n\r\n`), 'retry'],
    ['HTTP/0.9', after('it is fine', (socket) => socket.end()), 'retry'],
    ['another protocol', say('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'), 'retry'],
    ['a status of zero', say('HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n'), 'retry'],
    ['a reset', (socket) => socket.resetAndDestroy(), 'retry'],
    ['a status that does not exist', say('HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n'), 'retry'],
    ['nothing', (socket) => socket.end(), 'retry'],
  ];
  it.each(oneOf(3, ANSWERS))(
    'that answers %s holds nothing up and says nothing in its own words',
    async (_, reply, kind) => {
      const before = bytesInUse();
      const { url } = await receiver(reply);
      // A body that is read to its end would exhaust any patience.
      const outcome = await deliver(url, kind === 'sent' ? PATIENCE_MS : 1_500);
      expect(outcome.kind).toBe(kind);
      expect(JSON.stringify(outcome)).not.toMatch(/xxx|bbb|fine/u);
      expect(bytesInUse() - before).toBeLessThan(BOMB_BYTES / 2);
      // The connection is given up, also by a receiver that goes on to write.
      await vi.waitFor(() => expect([...sockets].filter((socket) => !socket.closed)).toEqual([]));
    },
  );

  it.each(
    oneOf(2, ['9'.repeat(400), '-5', '1e9', 'Infinity', 'Fri, 31 Dec 9999 23:59:59 GMT', '5, 9999999', '\u00ff']),
  )('a Retry-After of %j postpones an event by an hour at most', async (value) => {
    const { url } = await receiver(
      say(`HTTP/1.1 503 No\r\nDate: ${new Date().toUTCString()}\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`),
    );
    const outcome = await deliver(url);
    expect(outcome).toMatchObject({ kind: 'retry', reason: 'the receiver answered 503' });
    const wait = outcome.kind === 'retry' ? (outcome.afterMs ?? 0) : -1;
    expect(wait >= 0 && wait <= 3_600_000).toBe(true);
  });

  it.each([301, 302, 303, 307, 308])('is not followed by a %d, and what it names is not asked', async (status) => {
    const inner = await receiver(say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const { url } = await receiver(
      say(
        `HTTP/1.1 ${status} Moved\r\nLocation: ${inner.url}\r\nRefresh: 0;url=${inner.url}\r\nLink: <${inner.url}>; rel=preload\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    expect(await deliver(url)).toEqual({ kind: 'retry', reason: `the receiver answered ${status}` });
    expect(inner.connections()).toBe(0);
  });

  it('cannot make a second request of the first one by its URL', async () => {
    const { port, text } = await receiver(say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const url = `http://127.0.0.1:${port}/a\r\nX-Forged: 1\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n?\0\u2028`;
    await deliver(url);
    expect(text()).not.toMatch(/^x-forged|^GET \/b/imu);
    expect(text().match(/ HTTP\/1\.1\r\n/gu)).toHaveLength(1);
  });

  it.each([
    'https://app.example.com/\r\nX-Forged: 1',
    'https://app.example.com/\ta',
    'https://app.example.com\n.evil.example/',
    'https:// app.example.com/',
    'https://app.example.com/\0',
  ])('has no URL such as %j', (url) => {
    expect(() => projectFrom({ webhooks: [{ url, secret: SECRET }] })).toThrow('webhooks[0].url');
  });
});

describe('names that lead into the network', () => {
  const LOOPBACK_FIRST = [['127.0.0.1'], ['203.0.113.7']];
  const REBINDING = [['8.8.8.8'], ['127.0.0.1']];

  it.each<[string, string[][]]>([
    ['loopback', LOOPBACK_FIRST],
    ['a public address and loopback', [['8.8.8.8', '127.0.0.1']]],
    ['loopback after a public address of another family', [['2001:4860:4860::8888', '127.0.0.1']]],
    ['an IPv6 form of loopback', [['::ffff:127.0.0.1']]],
    ['a translated form of loopback', [['64:ff9b::7f00:1']]],
    ['a tunnelled form of loopback', [['2002:7f00:1::']]],
    ['the unspecified address', [['0.0.0.0']]],
    ['the metadata of a cloud', [['169.254.169.254']]],
    ['an address of a link', [['fe80::1%lo']]],
    ['nothing', [[]]],
  ])('a name that resolves to %s is not called', async (_, answers) => {
    const inner = await receiver(say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    names.answers = answers;
    names.asked = 0;
    const outside = outsideFetch({ timeoutMs: PATIENCE_MS });
    const failure = answers[0]?.length === 0 ? 'unreachable' : 'forbidden_address';
    await expect(outside(`https://hook.attacker.example:${inner.port}/`)).rejects.toMatchObject({ failure });
    expect(inner.connections()).toBe(0);
  });

  it('a name is resolved once for each call: what is checked is what is connected to', async () => {
    const inner = await receiver(say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    names.answers = REBINDING;
    names.asked = 0;
    const url = `https://rebound.attacker.example:${inner.port}/`;
    const first = outsideFetch({ timeoutMs: 300 })(url);
    await expect(first).rejects.toMatchObject({ failure: expect.stringMatching(/timed_out|unreachable/u) as string });
    expect(names.asked).toBe(1);
    await expect(outsideFetch({ timeoutMs: PATIENCE_MS })(url)).rejects.toMatchObject({ failure: 'forbidden_address' });
    expect([names.asked, inner.connections()]).toEqual([2, 0]);
  });

  it.each([
    'https://127.0.0.1.:443/',
    'https://0/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fec0::1]/',
    'https://①②⑦.0.0.1/',
    'https://LOCALHOST/',
    'https://127.0.0.1\\@example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'gopher://127.0.0.1/',
  ])('%s is not called', async (url) => {
    await expect(outsideFetch({ timeoutMs: PATIENCE_MS })(url)).rejects.toMatchObject({ failure: 'forbidden_address' });
  });

  it.each(['https://localhost./', 'https://example.com@127.0.0.1/'])('%s is not called either', async (url) => {
    const inner = await receiver(say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const { href } = Object.assign(new URL(url), { port: String(inner.port) });
    await expect(outsideFetch({ timeoutMs: PATIENCE_MS })(href)).rejects.toThrow();
    expect(inner.connections()).toBe(0);
  });
});

describe('a signed event at its receiver', () => {
  async function caught(): Promise<{ body: string; headers: Record<string, string> }> {
    const { url, text } = await receiver(say('HTTP/1.1 204 No Content\r\n\r\n'));
    expect(await deliver(url)).toEqual({ kind: 'sent' });
    const [head = '', body = ''] = text().split('\r\n\r\n');
    const fields = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/u).slice(0, 2) as [string, string]);
    return { body, headers: Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])) };
  }

  it('is verified as it came, and in no other form', async () => {
    const { body, headers } = await caught();
    const webhook = new Webhook(SECRET);
    expect(webhook.verify(body, headers)).toEqual({ type: 'user.created' });
    const seconds = Number(headers['webhook-timestamp']);
    const forged: [string, Record<string, string>][] = [
      [body.replace('created', 'deleted'), headers],
      [`${body} `, headers],
      [body, { ...headers, 'webhook-id': 'message-test-2' }],
      [body, { ...headers, 'webhook-timestamp': String(seconds + 1) }],
      // The id and the time are joined by dots in what is signed.
      [body, { ...headers, 'webhook-id': `message-test-1.${seconds}`, 'webhook-timestamp': '' }],
      [body, { ...headers, 'webhook-signature': 'v1,' }],
      [body, { ...headers, 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1', 'v1a') }],
    ];
    for (const [content, altered] of forged) expect(() => webhook.verify(content, altered)).toThrow();
    expect(() => new Webhook(OTHER).verify(body, headers)).toThrow();
  });

  it('is refused by its time when it is replayed later', async () => {
    const { body, headers } = await caught();
    vi.useFakeTimers({ now: Date.now() + 6 * 60_000, toFake: ['Date'] });
    try {
      expect(() => new Webhook(SECRET).verify(body, headers)).toThrow('too old');
    } finally {
      vi.useRealTimers();
    }
  });
});
