import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FetchScope } from '#infrastructure/http/timed-fetch.ts';
import type { TransportPort } from '#application/ports/index.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { StartTransport } from '#infrastructure/http/start-transport.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';

const GET = { method: 'GET', url: 'https://api.example.com/sdk/v1/users/me', headers: {}, body: null } as const;

afterEach(() => {
  vi.useRealTimers();
});

/** Each transport of a page's requests. */
const TRANSPORTS: readonly (readonly [name: string, on: (scope: FetchScope) => TransportPort])[] = [
  ['KyTransport', (scope) => new KyTransport(scope)],
  ['StartTransport', (scope) => new StartTransport(scope, new SystemClock(globalThis))],
];

describe.each(TRANSPORTS)('%s', (_name, on) => {
  it('asks the browser for cookies, no redirect and no cache, and adds no header', async () => {
    const seen: Request[] = [];
    const fetch: FetchScope['fetch'] = async (request) => {
      seen.push(request);
      return new Response('{}');
    };
    await on({ fetch }).send({ ...GET, method: 'POST', headers: { 'X-A': 'b' }, body: '{}' });
    const [request] = seen;
    expect([request?.credentials, request?.redirect, request?.cache]).toEqual(['include', 'error', 'no-store']);
    const headers = Object.fromEntries(request?.headers ?? []);
    // The platform itself names the type of a text body.
    delete headers['content-type'];
    expect(headers).toEqual({ 'x-a': 'b' });
  });

  it('sends no header, and takes no option, that a page added to every object', async () => {
    const added = { headers: { 'x-evil': '1' }, hooks: { beforeRequest: [] }, method: 'DELETE', retry: 3 };
    for (const [name, value] of Object.entries(added)) {
      Reflect.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
    }
    try {
      const seen: { request: Request; options: number }[] = [];
      const fetch: FetchScope['fetch'] = async (request, init = Object.create(null) as RequestInit) => {
        seen.push({ request, options: Object.getPrototypeOf(init) === null ? Object.keys(init).length : -1 });
        return new Response('{}', { status: 503 });
      };
      await on({ fetch }).send({ ...GET, once: true, headers: { 'x-a': 'b' } });
      expect(seen.map(({ request, options }) => [request.method, [...request.headers.keys()], options])).toEqual([
        ['GET', ['x-a'], 0],
      ]);
    } finally {
      for (const name of Object.keys(added)) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  it('lets a request outlive the page only if the option is set', async () => {
    const seen: boolean[] = [];
    const fetch: FetchScope['fetch'] = async (request) => {
      seen.push(request.keepalive);
      return new Response('{}');
    };
    for (const keepalive of [undefined, false, true]) await on({ fetch }).send({ ...GET, keepalive });
    expect(seen).toEqual([false, false, true]);
  });

  it('calls fetch without a receiver, and the one that is there by then', async () => {
    const receivers: unknown[] = [];
    const scope = {
      fetch: async (): Promise<Response> => Promise.reject(new Error('replaced before use')),
    };
    const transport = on(scope);
    scope.fetch = async function (this: unknown) {
      receivers.push(this);
      return new Response('ok');
    };
    expect((await transport.send(GET)).text).toBe('ok');
    expect(receivers).toEqual([undefined]);
  });

  it('gives up on a server that does not answer, or does not finish its answer', async () => {
    vi.useFakeTimers();
    const silent: FetchScope['fetch'] = async () => new Promise(() => undefined);
    const halfway: FetchScope['fetch'] = async () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"da')) }));
    for (const reply of [silent, halfway]) {
      const fetch = vi.fn(reply);
      const outcome = expect(on({ fetch }).send(GET)).rejects.toThrow();
      await vi.advanceTimersByTimeAsync(60_000);
      await outcome;
      const { length } = fetch.mock.calls;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(fetch).toHaveBeenCalledTimes(length);
    }
  });

  it('rejects, and sends nothing, for what no request can be made of', async () => {
    const fetch = vi.fn<FetchScope['fetch']>();
    const transport = on({ fetch });
    await expect(transport.send({ ...GET, url: 'not a url' })).rejects.toThrow();
    await expect(transport.send({ ...GET, headers: { 'X-A': 'b\r\nX-C: d' } })).rejects.toThrow();
    expect(fetch).not.toHaveBeenCalled();
  });
});

/** Not until no timer is left: an embedded database of an earlier file of this worker sets new ones for ever. */
const LONGEST_WAITS_MS = 30_000;

describe('KyTransport', () => {
  /** Answers each request with the next status, and then with 200. */
  const answering = (statuses: readonly (number | 'broken')[], headers: Readonly<Record<string, string>> = {}) => {
    const sent: { readonly at: number; readonly request: Request }[] = [];
    const fetch: FetchScope['fetch'] = async (request) => {
      const status = statuses[sent.length] ?? 200;
      sent.push({ at: Date.now(), request });
      if (status === 'broken') throw new TypeError('Failed to fetch');
      return new Response(`answer ${sent.length}`, { status, headers });
    };
    return { sent, transport: new KyTransport({ fetch }) };
  };

  it('repeats a GET without an answer, or to a busy server, up to twice', async () => {
    vi.useFakeTimers();
    for (const statuses of [
      ['broken', 503],
      [429, 502],
      [504, 'broken'],
    ] as const) {
      const { sent, transport } = answering(statuses);
      const answer = transport.send({ ...GET, headers: { 'x-a': 'b' } });
      await vi.advanceTimersByTimeAsync(LONGEST_WAITS_MS);
      expect(await answer).toMatchObject({ status: 200, text: 'answer 3' });
      expect(sent.map(({ request }) => request.headers.get('x-a'))).toEqual(['b', 'b', 'b']);
    }
    const { sent, transport } = answering([503, 503, 503, 503]);
    const answer = transport.send(GET);
    await vi.advanceTimersByTimeAsync(LONGEST_WAITS_MS);
    expect(await answer).toMatchObject({ status: 503, text: 'answer 3' });
    expect(sent).toHaveLength(3);
  });

  it('waits as long as Retry-After says, and does not ask again where that is long', async () => {
    vi.useFakeTimers();
    const patient = answering([429], { 'retry-after': '3' });
    const answer = patient.transport.send(GET);
    await vi.advanceTimersByTimeAsync(LONGEST_WAITS_MS);
    expect((await answer).status).toBe(200);
    const [first, second] = patient.sent;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(3_000);
    const { sent, transport } = answering([429], { 'retry-after': '60' });
    expect(await transport.send(GET)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(sent).toHaveLength(1);
  });

  it('repeats no request that changes something, and none that is to be sent once', async () => {
    for (const request of [{ ...GET, method: 'POST', body: '{}' } as const, { ...GET, once: true }]) {
      const busy = answering([503]);
      expect((await busy.transport.send(request)).status).toBe(503);
      expect(busy.sent).toHaveLength(1);
      const broken = answering(['broken']);
      await expect(broken.transport.send(request)).rejects.toThrow('Failed to fetch');
      expect(broken.sent).toHaveLength(1);
    }
  });

  it('stops waiting when the signal is aborted', async () => {
    const { sent, transport } = answering([503], { 'retry-after': '5' });
    const abort = new AbortController();
    const answer = transport.send({ ...GET, signal: abort.signal });
    await vi.waitUntil(() => sent.length === 1);
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toHaveLength(1);
  });

  it('works where AbortSignal.any is missing', async () => {
    const any = Object.getOwnPropertyDescriptor(AbortSignal, 'any');
    Object.defineProperty(AbortSignal, 'any', { value: undefined, configurable: true });
    try {
      const fetch: FetchScope['fetch'] = async (request) =>
        new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)),
        );
      const abort = new AbortController();
      const outcome = expect(new KyTransport({ fetch }).send({ ...GET, signal: abort.signal })).rejects.toThrow();
      await new Promise((resolve) => void setTimeout(resolve, 5));
      abort.abort();
      await outcome;
    } finally {
      if (any !== undefined) Object.defineProperty(AbortSignal, 'any', any);
    }
  });
});

describe('StartTransport', () => {
  it('passes the requests on once another transport has arrived', async () => {
    const fetch = vi.fn<FetchScope['fetch']>(async () => new Response('first'));
    const transport = new StartTransport({ fetch }, new SystemClock(globalThis));
    expect((await transport.send(GET)).text).toBe('first');
    transport.passTo({ send: async () => ({ status: 200, headers: {}, text: 'later' }) });
    expect((await transport.send(GET)).text).toBe('later');
    expect(fetch).toHaveBeenCalledOnce();
  });
});
