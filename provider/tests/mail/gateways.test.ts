import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { carriersFor } from '#provider/operation/server/carriers.ts';
import { TwilioCarrier } from '#provider/messages/mail/twilio-carrier.ts';
import { WebhookCarrier } from '#provider/messages/mail/webhook-carrier.ts';
import { NO_DELIVERY, TWILIO_DEFAULTS, type TwilioSettings } from '#provider/project/settings/delivery.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { PATIENT, textParcel } from '../kit/parcels.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const NOW = Date.UTC(2030, 0, 1);
const OPTIONS = { allowPrivate: true, patienceMs: PATIENCE_MS };
const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const message = (fields = {}) => textParcel({ expiresAt: new Date(NOW + 300_000), ...fields });

interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A gateway that keeps what it receives, and answers as it is told. */
async function gateway(answer: (count: number) => { status: number; body?: string; headers?: Record<string, string> }) {
  const received: ReceivedRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ request, body: Buffer.concat(chunks).toString() });
      const { status, body = '{}', headers = {} } = answer(received.length);
      response.writeHead(status, headers).end(body);
    });
  };
  return { received, url: await listening(createHttpServer(listener)) };
}

/** A gateway of bytes: what it writes to each connection, once a request has come. */
async function rawGateway(replies: readonly (string | null)[]): Promise<string> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const reply = replies[count] ?? null;
      count += 1;
      if (reply !== null) socket.write(reply);
    });
  });
  return listening(server);
}

const http = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n${body}`;

const ACCOUNT = `AC${'a'.repeat(32)}`;
const twilio = (url: string, settings: Partial<TwilioSettings> = {}, options = OPTIONS) =>
  new TwilioCarrier(
    {
      ...TWILIO_DEFAULTS,
      gateway: 'twilio',
      base_url: url,
      account_sid: ACCOUNT,
      auth_token: 'secret',
      from: '+15005550006',
      ...settings,
    },
    options,
    () => NOW,
  );
const webhook = (url: string, options = OPTIONS) =>
  new WebhookCarrier({ gateway: 'webhook', url, secret: SECRET }, options, () => NOW);

const SID = `SM${'0'.repeat(32)}`;
const accepted = { status: 201, body: JSON.stringify({ sid: SID, status: 'queued', error_code: null }) };
const refused = (status: number, code: number) => ({
  status,
  body: JSON.stringify({ code, message: "The 'To' number +14155550100 and 428193 are wrong", status }),
});

describe('texts by Twilio', () => {
  it('are a form with basic authentication, valid as long as the code', async () => {
    const { received, url } = await gateway(() => accepted);
    expect(await twilio(url).deliver(message(), PATIENT)).toEqual({ kind: 'sent', reference: SID });
    const [{ request, body } = { request: undefined, body: '' }] = received;
    expect([request?.method, request?.url]).toEqual(['POST', `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`]);
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`${ACCOUNT}:secret`).toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      To: '+14155550100',
      From: '+15005550006',
      Body: 'Your Acme passcode is 428193.',
      ValidityPeriod: '300',
    });
  });

  it('are told in real time when a message expires, also by a server whose clock is moved', async () => {
    const { received, url } = await gateway(() => accepted);
    const sms = {
      ...TWILIO_DEFAULTS,
      gateway: 'twilio',
      base_url: url,
      account_sid: ACCOUNT,
      auth_token: 'x',
    } as const;
    const whatsapp = { gateway: 'webhook', url, secret: SECRET } as const;
    const project = { ...DEMO_PROJECT, delivery: { ...NO_DELIVERY, sms: { ...sms, from: '+15005550006' }, whatsapp } };
    const real = Date.now();
    const clocks = { clock: { now: () => NOW }, realClock: { now: () => real } };
    const carriers = carriersFor(project, undefined, clocks);
    await carriers.whatsapp?.deliver(message(), PATIENT);
    await carriers.sms?.deliver(message({ expiresAt: new Date(NOW + 3_600_000) }), PATIENT);
    const [{ data }, left] = [
      JSON.parse(received[0]?.body ?? ''),
      new URLSearchParams(received[1]?.body).get('ValidityPeriod'),
    ];
    expect(data.expires_at).toBe(new Date(real + 300_000).toISOString());
    expect(Number(left)).toBeGreaterThan(3_000);
    expect(Number(left)).toBeLessThanOrEqual(3_600);
  });

  it('name a messaging service instead of a sender', async () => {
    const { received, url } = await gateway(() => accepted);
    await twilio(url, { from: null, messaging_service_sid: `MG${'b'.repeat(32)}` }).deliver(message(), PATIENT);
    const form = new URLSearchParams(received[0]?.body);
    expect([form.get('MessagingServiceSid'), form.get('From')]).toEqual([`MG${'b'.repeat(32)}`, null]);
  });

  it('are an approved template with the code for WhatsApp', async () => {
    const { received, url } = await gateway(() => accepted);
    const content_sid = `HX${'c'.repeat(32)}`;
    await twilio(url, { content_sid }).deliver(message({ channel: 'whatsapp' }), PATIENT);
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
      To: 'whatsapp:+14155550100',
      From: 'whatsapp:+15005550006',
      ContentSid: content_sid,
      ContentVariables: '{"1":"428193"}',
      ValidityPeriod: '300',
    });
  });

  it.each([
    ['a number that is none', refused(400, 21211), 'rejected'],
    ['a number that unsubscribed', refused(400, 21610), 'rejected'],
    ['a sender that is not of the account', refused(400, 21606), 'retry'],
    ['a wrong token', refused(401, 20003), 'retry'],
    ['an unknown account', refused(404, 20404), 'retry'],
    ['a server error', { status: 500, body: '<html>428193</html>' }, 'retry'],
    ['a redirect', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:1/' } }, 'retry'],
  ])('are settled by the answer to %s, whose words are not repeated', async (_, answer, kind) => {
    const { received, url } = await gateway(() => answer);
    const outcome = await twilio(url).deliver(message(), PATIENT);
    expect(outcome).toMatchObject({ kind, reason: expect.stringContaining(String(answer.status)) as string });
    expect(JSON.stringify(outcome)).not.toMatch(/428193|4155550100/u);
    expect(received).toHaveLength(1);
  });

  it('wait as long as the gateway asks for', async () => {
    const { url } = await gateway(() => ({ ...refused(429, 20429), headers: { 'Retry-After': '7' } }));
    expect(await twilio(url).deliver(message(), PATIENT)).toEqual({
      kind: 'retry',
      reason: 'the gateway answered 429, error 20429',
      afterMs: 7_000,
    });
  });
});

describe('texts by a gateway of the operator', () => {
  it('are signed requests, as Standard Webhooks has them', async () => {
    const { received, url } = await gateway(() => ({ status: 204, body: '' }));
    expect(await webhook(`${url}/sms?key=1`).deliver(message({ attempt: 3 }), PATIENT)).toEqual({ kind: 'sent' });
    const [{ request, body } = { request: undefined, body: '' }] = received;
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request?.headers ?? {};
    expect([request?.url, id, at]).toEqual(['/sms?key=1', 'message-test-1', String(NOW / 1000)]);
    // Verified with the platform's other implementation of HMAC.
    const key = await crypto.subtle.importKey('raw', KEY, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    const bytes = Buffer.from(String(signature).replace(/^v1,/u, ''), 'base64');
    const signed = new TextEncoder().encode(`${String(id)}.${String(at)}.${body}`);
    expect(await crypto.subtle.verify('HMAC', key, bytes, signed)).toBe(true);
    expect(JSON.parse(body)).toEqual({
      type: 'message.send',
      timestamp: '2030-01-01T00:00:00.000Z',
      data: {
        id: 'message-test-1',
        channel: 'sms',
        kind: 'login_passcode',
        to: '+14155550100',
        text: 'Your Acme passcode is 428193.',
        locale: 'en',
        code: '428193',
        expires_at: '2030-01-01T00:05:00.000Z',
      },
    });
  });

  it.each([
    [200, 'sent'],
    [422, 'rejected'],
    [401, 'retry'],
    [404, 'retry'],
    [503, 'retry'],
  ])('are settled by the status %i: %s', async (status, kind) => {
    const { url } = await gateway(() => ({ status }));
    expect(await webhook(url).deliver(message(), PATIENT)).toMatchObject({ kind });
  });

  it('are sent again with the same id', async () => {
    const { received, url } = await gateway((count) => ({ status: count === 1 ? 500 : 200 }));
    const carrier = webhook(url);
    await carrier.deliver(message(), PATIENT);
    await carrier.deliver(message({ attempt: 2 }), PATIENT);
    expect(received.map(({ request }) => request.headers['webhook-id'])).toEqual(['message-test-1', 'message-test-1']);
  });
});

describe.each([
  ['Twilio', (url: string, options?: typeof OPTIONS) => twilio(url, {}, options)],
  ['a webhook', webhook],
] as const)('a gateway of %s', (_, open) => {
  const impatient = { ...OPTIONS, patienceMs: 100 };

  it('that stalls is not waited for', async () => {
    const url = await rawGateway([null, 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{']);
    for (let i = 0; i < 2; i += 1) {
      expect(await open(url, impatient).deliver(message(), PATIENT)).toEqual({
        kind: 'retry',
        reason: 'the gateway: timed out',
        isAway: true,
      });
    }
  });

  it('that answers twice does not answer for the next message', async () => {
    const url = await rawGateway([`${http('200 OK', '{}')}${http('200 OK', '{}')}`, http('503 Busy', '{}')]);
    const carrier = open(url);
    expect(await carrier.deliver(message(), PATIENT)).toMatchObject({ kind: 'sent' });
    expect(await carrier.deliver(message({ id: 'message-test-2' }), PATIENT)).toMatchObject({ kind: 'retry' });
  });

  it('that accepts with a long reply is not asked again, and one that does not answer in HTTP later', async () => {
    const url = await rawGateway([http('200 OK', 'x'.repeat(100_000)), 'garbage\r\n\r\n']);
    const carrier = open(url);
    expect(await carrier.deliver(message(), PATIENT)).toEqual({ kind: 'sent' });
    expect(await carrier.deliver(message(), PATIENT)).toEqual({
      kind: 'retry',
      reason: 'the gateway: unreachable',
      isAway: true,
    });
  });

  it('is left when the delivery is cancelled', async () => {
    const cancel = new AbortController();
    const server = createServer((socket) => void socket.once('data', () => cancel.abort()));
    const outcome = await open(await listening(server)).deliver(message(), cancel.signal);
    expect(outcome).toEqual({ kind: 'retry', reason: 'the gateway: no answer in time', isAway: true });
  });

  it('is not called on this machine, or without TLS, unless the project allows that', async () => {
    const { received, url } = await gateway(() => accepted);
    for (const address of [
      url,
      url.replace('http:', 'https:'),
      'https://[::1]/',
      'https://10.0.0.1/',
      'http://example.com/',
    ]) {
      const carrier = open(address, { ...OPTIONS, allowPrivate: false });
      expect(await carrier.deliver(message(), PATIENT)).toEqual({
        kind: 'retry',
        reason: 'the gateway: forbidden address',
        isAway: true,
      });
    }
    expect(received).toEqual([]);
  });
});
