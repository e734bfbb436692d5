import {
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  SDKUsageError,
  type SchemaIssue,
  type UnreachableReason,
} from '../../domain/errors.ts';
import { base64OfText } from '../../domain/encoding.ts';
import { parseJson } from '../../domain/json.ts';
import { hasShape, isRecord } from '../../domain/shape.ts';
import { AUTHENTICATED } from '../api/sessions.ts';
import { API_PREFIX, pathOf, type Endpoint } from '../api/index.ts';
import type { HttpRequest, HttpResponse, Ports } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { SessionStore } from '../session/session-store.ts';

/** The name and version of the client in the headers; the version is that of the wire (specification, section 9). */
const SDK = { identifier: 'Portico Javascript SDK', version: '5.37.1' } as const;

/** Identifies the caller in the server's logs (wire details, `X-SDK-Client`). Contains no secret. */
export interface TelemetryContext {
  readonly event_id: string;
  readonly app_session_id: string;
  readonly persistent_id: string;
  readonly client_sent_at: string;
  readonly timezone: string;
  readonly app: { readonly identifier: string };
  readonly sdk: { readonly identifier: string; readonly version: string };
  readonly stytch_user_id?: string | undefined;
  readonly stytch_session_id?: string | undefined;
}

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
    private readonly ports: Pick<Ports, 'transport' | 'storage' | 'tabStorage' | 'browser' | 'clock' | 'crypto'>,
    private readonly keys: ClientKeys,
    private readonly sessions: SessionStore,
    readonly origin: string,
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
      response = await this.ports.transport.send(request);
    } catch (cause) {
      const error = new SDKAPIUnreachableError('network');
      error.cause = cause;
      throw error;
    }
    return readReply(endpoint, response);
  }

  /** Who calls, as each request and each logged event says it. */
  telemetry(): TelemetryContext {
    const { browser, clock, crypto, storage, tabStorage } = this.ports;
    const { session, user } = this.sessions.state();
    return {
      event_id: `event-id-${crypto.uuid()}`,
      app_session_id: this.remembered(tabStorage, 'app_session_id', 'app-session-id'),
      persistent_id: this.remembered(storage, 'persistent_id', 'persistent-id'),
      client_sent_at: new Date(clock.now()).toISOString(),
      timezone: browser.timezone,
      app: { identifier: browser.hostname },
      sdk: SDK,
      stytch_user_id: user?.user_id,
      stytch_session_id: session?.session_id,
    };
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
    return { method, url, headers: this.headers(), body: text, signal, keepalive };
  }

  /** The body of an authenticate call, with the intermediate token of a login that lacks a factor. */
  private continued(body: unknown): unknown {
    const intermediate_session_token = this.sessions.intermediateToken();
    return intermediate_session_token === null ? body : { ...(body as object), intermediate_session_token };
  }

  /** The headers of every call. */
  private headers(): Readonly<Record<string, string>> {
    const { publicToken } = this.keys;
    const secret = this.sessions.secret() ?? publicToken;
    return {
      authorization: `Basic ${base64OfText(`${publicToken}:${secret}`)}`,
      'content-type': 'application/json',
      'x-sdk-client': base64OfText(JSON.stringify(this.telemetry())),
      'x-sdk-parent-host': this.ports.browser.origin,
    };
  }

  private remembered(storage: Ports['storage'], key: string, prefix: string): string {
    const known = storage.get(this.keys.storage(key));
    if (known?.startsWith(`${prefix}-`) && known.length < 80) return known;
    const made = `${prefix}-${this.ports.crypto.uuid()}`;
    storage.set(this.keys.storage(key), made);
    return made;
  }
}

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date that is compared with the response's `Date`. */
function retryAfterMs({ headers }: HttpResponse): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  if (/^\d+$/u.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers['date'] ?? '');
  return wait > 0 ? wait : null;
}

function reasonOf({ headers, text: body }: HttpResponse): UnreachableReason {
  if ((headers['content-type'] ?? '').includes('json')) return 'invalid-json';
  return body.includes('Captcha required') ? 'captcha-required' : 'invalid-response';
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** One step of a path: a name or an index. Other values are not converted, because `String` may throw on an object. */
const step = (value: unknown): string => (typeof value === 'number' ? String(value) : text(value));

function schemaIssues(json: Readonly<Record<string, unknown>>): readonly SchemaIssue[] {
  return ['body', 'params', 'query']
    .flatMap((part) => {
      const issues = json[part];
      return Array.isArray(issues) ? issues.filter(isRecord) : [];
    })
    .map((issue) => ({
      dataPath: Array.isArray(issue['dataPath']) ? issue['dataPath'].map(step) : [],
      message: text(issue['message']),
    }));
}

function refusal(json: unknown, response: HttpResponse): SDKSchemaError | SDKAPIError {
  const fields = isRecord(json) ? json : {};
  if (['body', 'params', 'query'].some((part) => Object.hasOwn(fields, part))) {
    return new SDKSchemaError(schemaIssues(fields));
  }
  const { status_code: status, error_type: type } = fields;
  return new SDKAPIError(
    {
      status_code: typeof status === 'number' ? status : response.status,
      error_type: typeof type === 'string' && type !== '' ? type : 'unknown_error',
      error_message: text(fields['error_message']),
      error_url: text(fields['error_url']),
      request_id: text(fields['request_id']) || undefined,
      error_details: fields['error_details'],
    },
    retryAfterMs(response),
  );
}

/**
 * The one place where what came over HTTP becomes a reply or an error (specification, sections 7 and 8).
 *
 * Returns the reply's `data`. A status up to 299 is a success. A success without the fields that the endpoint requires throws an
 * `SDKAPIUnreachableError` (`invalid-response`).
 */
export function readReply<Reply>(endpoint: Endpoint<string, unknown, Reply>, response: HttpResponse): Reply {
  const json = parseJson(response.text);
  if (json === undefined) {
    throw new SDKAPIUnreachableError(reasonOf(response), retryAfterMs(response));
  }
  if (response.status > 299) throw refusal(json, response);
  const data = isRecord(json) ? json['data'] : undefined;
  if (!hasShape(endpoint.reply, data)) throw new SDKAPIUnreachableError('invalid-response');
  return data as Reply;
}
