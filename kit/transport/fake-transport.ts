import { API_PREFIX, type BodyFor, type Endpoint, type ParamsFor } from '#application/api/index.ts';
import type { HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';
import { parseJson } from '#domain/json.ts';
import type { CookieJar } from '../ports/fake-cookies.ts';
import { errorReply, FakeReply, reply } from './fake-reply.ts';
import { Gate } from './gate.ts';
import type { SeenRequest } from './seen-request.ts';
import { ServerCookies } from './server-cookies.ts';

/**
 * Answers a request: returns the reply's `data`, or a `FakeReply` such as `reply(...)`. Throws or returns an error for a request that gets
 * no response.
 */
export type Handler<E> = (body: BodyFor<E>, request: SeenRequest<ParamsFor<E> & string>) => unknown;

interface Script {
  readonly endpoint: Endpoint;
  readonly path: RegExp;
  readonly handle: (body: unknown, request: SeenRequest) => unknown;
}

function pattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:([a-z_]+)/giu, '(?<$1>[^/]+)')}$`, 'u');
}

/** A server in memory with a scripted handler for each endpoint. Other endpoints answer 404. */
export class FakeTransport implements TransportPort {
  /** The HttpOnly cookies that the server set. */
  readonly cookies: ServerCookies;
  private readonly scripts: Script[] = [];
  private readonly requestLog: SeenRequest[] = [];
  private readonly gates: { readonly endpoint: string | null; readonly gate: Gate }[] = [];

  /** @param page the jar of the page's cookies, which also receives the server's cookies without HttpOnly */
  constructor(page: CookieJar | null = null) {
    this.cookies = new ServerCookies(page);
  }

  /** Every request that the server received, oldest first. */
  get requests(): readonly SeenRequest[] {
    return this.requestLog;
  }

  /** The requests to one endpoint, oldest first. */
  requestsTo(endpoint: Pick<Endpoint, 'name'>): readonly SeenRequest[] {
    return this.requestLog.filter((request) => request.endpoint === endpoint.name);
  }

  /** Sets the handler of an endpoint, and replaces any earlier one. */
  answer<E extends Endpoint>(endpoint: E, handle: Handler<E>): this {
    const script: Script = { endpoint, path: pattern(endpoint.path), handle: handle as Script['handle'] };
    this.scripts.unshift(script);
    return this;
  }

  /** From now on, the server handles requests but holds its replies (to one endpoint, or to all) until they are released. */
  hold(endpoint?: Pick<Endpoint, 'name'>): Gate {
    const gate = new Gate(() => {
      const at = this.gates.findIndex((entry) => entry.gate === gate);
      if (at >= 0) this.gates.splice(at, 1);
    });
    this.gates.unshift({ endpoint: endpoint?.name ?? null, gate });
    return gate;
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    return this.sendFrom(this.cookies, request);
  }

  /** A connection to this server from another browser, with its own cookies. */
  forBrowser(page: CookieJar): TransportPort {
    const cookies = new ServerCookies(page);
    return { send: (request) => this.sendFrom(cookies, request) };
  }

  /** A connection to this server from a page. Its requests have the page's `Origin`, like a browser's. */
  forPage(page: { readonly origin: string }): FakeTransport {
    const send: TransportPort['send'] = (request) =>
      this.send({ ...request, headers: { ...request.headers, origin: page.origin } });
    return Object.assign(Object.create(this) as FakeTransport, { send });
  }

  private async sendFrom(cookies: ServerCookies, request: HttpRequest): Promise<HttpResponse> {
    const { signal } = request;
    signal?.throwIfAborted();
    const { script, record } = this.receive(request, cookies);
    this.requestLog.push(record);
    const response = this.deliver(script, record, cookies);
    if (signal === undefined) return response;
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      response.then(resolve, reject);
    });
  }

  private receive(
    { method, url, headers, body }: HttpRequest,
    cookies: ServerCookies,
  ): {
    readonly script: Script | undefined;
    readonly record: SeenRequest;
  } {
    const { pathname } = new URL(url);
    const path = pathname.startsWith(`${API_PREFIX}/`) ? pathname.slice(API_PREFIX.length) : pathname;
    const script = this.scripts.find((each) => each.endpoint.method === method && each.path.test(path));
    const groups = Object.entries(script?.path.exec(path)?.groups ?? {});
    return {
      script,
      record: {
        endpoint: script?.endpoint.name ?? null,
        method,
        url,
        path,
        params: Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)])),
        headers,
        body: body === null ? null : parseJson(body),
        cookies: cookies.forRequest(),
      },
    };
  }

  private async deliver(
    script: Script | undefined,
    record: SeenRequest,
    cookies: ServerCookies,
  ): Promise<HttpResponse> {
    const gate = this.gates.find((entry) => entry.endpoint === null || entry.endpoint === record.endpoint)?.gate;
    let answer: unknown;
    try {
      answer = script === undefined ? errorReply(404, 'route_not_found') : await script.handle(record.body, record);
    } catch (error) {
      answer = error instanceof Error ? error : new Error(String(error));
    }
    await gate?.pass(record);
    if (answer instanceof Error) throw answer;
    const { status, text, headers } = answer instanceof FakeReply ? answer : reply(200, { data: answer });
    if (status >= 300 && status < 400 && 'location' in headers) throw new TypeError('A redirect is not followed');
    return { status, text, headers: cookies.received(headers) };
  }
}
