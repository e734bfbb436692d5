import { AUTHENTICATED } from '../api/authenticated.ts';
import { API_PREFIX, pathOf, type Endpoint } from '../api/index.ts';
import { SDKAPIUnreachableError, SDKUsageError } from '../../domain/errors.ts';
import type { HttpRequest, HttpResponse, TransportPort } from '../ports/index.ts';
import { readReply } from './read-reply.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RequestHeaders } from './request-headers.ts';

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean | undefined;
}

/** Calls endpoints of the wire. Rejects only with an `AuthError`. */
export class WireClient {
  /** @param origin the server's, such as `https://test.stytch.com` */
  constructor(
    private readonly transport: TransportPort,
    private readonly headers: RequestHeaders,
    readonly origin: string,
    private readonly sessions: Pick<SessionStore, 'intermediateToken'>,
  ) {}

  /** Resolves with the reply's `data`. Undefined body fields are not sent. */
  async call<Params extends string, Body, Reply>(
    endpoint: Endpoint<Params, Body, Reply>,
    body: Body,
    options: CallOptions = {},
  ): Promise<Reply> {
    const request = this.request(endpoint, body, options);
    let response: HttpResponse;
    try {
      response = await this.transport.send(request);
    } catch (cause) {
      const error = new SDKAPIUnreachableError('network');
      error.cause = cause;
      throw error;
    }
    return readReply(endpoint, response);
  }

  /** Throws an SDKUsageError for values that cannot be serialized: a cycle, a BigInt, a lone surrogate in a path. */
  private request(
    { name, method, path, reply }: Endpoint,
    body: unknown,
    { params = {}, signal, keepalive }: CallOptions,
  ): HttpRequest {
    const hasBody = method === 'POST' || method === 'PUT';
    let [url, text]: [string, string | null] = ['', null];
    try {
      url = `${this.origin}${API_PREFIX}${pathOf(path, params)}`;
      if (hasBody) text = JSON.stringify(reply === AUTHENTICATED ? this.continued(body) : body);
    } catch (cause) {
      const error = new SDKUsageError(name, 'the arguments must be values that can be sent as JSON');
      error.cause = cause;
      throw error;
    }
    return { method, url, headers: this.headers.build(), body: text, signal, keepalive };
  }

  /** The body of an authenticate call, with the intermediate token of a login that lacks a factor. */
  private continued(body: unknown): unknown {
    const intermediate_session_token = this.sessions.intermediateToken();
    return intermediate_session_token === null ? body : { ...(body as object), intermediate_session_token };
  }
}
