import { isAuthError, SDKUsageError, unreachable, type SDKAPIUnreachableError } from '#domain/errors.ts';
import { base64OfText } from '#domain/encoding.ts';
import { AUTHENTICATED } from '../api/authenticated.ts';
import { API_PREFIX, pathOf, type Endpoint } from '../api/index.ts';
import type { HttpRequest, HttpResponse, Ports } from '../ports/index.ts';
import type { ClientKeys } from './client-keys.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { readReply } from './read-reply.ts';

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
  /** The request continues after the page is left. */
  readonly keepalive?: boolean | undefined;
  /** The caller retries the request, so the adapter must not. */
  readonly once?: boolean | undefined;
  /** The call belongs to the second factor of a login, and is sent with its intermediate session. */
  readonly continues?: boolean | undefined;
}

/** The source of the session's credentials. */
interface SessionSource {
  /** The token or JWT of the session; null without one. */
  secret(): string | null;
  /** The token of a login that needs another factor; null without one. */
  intermediateToken(): string | null;
  state(): { readonly session: Session | null; readonly user: User | null };
}

/** Sends equal simultaneous calls once (`SharedCalls`). */
interface CallSharing {
  share<Reply>(endpoint: Endpoint, body: object, run: () => Promise<Reply>): Promise<Reply>;
}

/** Binds a login that lacks a factor to this browser (`LoginBinding`). */
interface BindingSource {
  /** The fields of the body. */
  fields(isContinued: boolean): Promise<object>;
  /** Stores the data in a login's reply. */
  settle(reply: object): void;
}

/**
 * Makes the binding of logins to this browser; null in a project that requires one factor.
 *
 * @param isAsked whether the server requested it, because the settings known here may be outdated
 */
export type BindLogins = (isAsked: boolean) => Promise<BindingSource> | null;

/** Calls endpoints of the wire. Rejects only with an `AuthError`. */
export class WireClient {
  /** Whether the server requires logins to be bound: `mfa_code_challenge_required`. */
  private requiresBinding = false;
  /** The host's option of this name. */
  declare asksProfile: boolean | undefined;
  /** Loaded with the first call that uses something up. */
  shared: CallSharing | null = null;

  /**
   * @param origin the server's origin, such as `https://test.stytch.com`
   * @param onFailure called with each error of a request without a usable answer
   * @param bindLogins loads the binding
   */
  constructor(
    private readonly ports: Pick<Ports, 'transport' | 'storage' | 'tabStorage' | 'browser' | 'clock' | 'crypto'>,
    private readonly keys: ClientKeys,
    private readonly sessions: SessionSource,
    readonly origin: string,
    private readonly onFailure: (error: SDKAPIUnreachableError) => void,
    private readonly bindLogins: BindLogins = () => null,
  ) {}

  /** Resolves with the reply's `data`. Undefined body fields are not sent. */
  async call<Params extends string, Body, Reply>(
    endpoint: Endpoint<Params, Body, Reply>,
    body: Body,
    options: CallOptions = {},
  ): Promise<Reply> {
    const run = async () => this.send(endpoint, body, options);
    return this.shared?.share(endpoint, body as object, run) ?? run();
  }

  private async send<Params extends string, Body, Reply>(
    endpoint: Endpoint<Params, Body, Reply>,
    body: Body,
    options: CallOptions,
  ): Promise<Reply> {
    const { requiresBinding } = this;
    const continues = options.continues ?? endpoint.reply === AUTHENTICATED;
    const intermediate_session_token = continues ? (this.sessions.intermediateToken() ?? undefined) : undefined;
    const binding = continues ? await this.binding() : null;
    let extra: object | undefined = intermediate_session_token ? { intermediate_session_token } : undefined;
    if (binding) extra = { ...(await binding.fields(extra !== undefined)), ...extra };
    const request = this.request(endpoint, extra ? { ...body, ...extra } : body, options);
    let response: HttpResponse;
    try {
      response = await this.ports.transport.send(request);
    } catch (cause) {
      const error = unreachable(cause, request.url, this.ports.browser.isOnline);
      this.onFailure(error);
      throw error;
    }
    // The refused call has used up nothing. If several were sent without a binding, each is repeated.
    if (!requiresBinding && response.status === 400 && response.text.includes('"mfa_code_')) {
      this.requiresBinding = true;
      return this.send(endpoint, body, options);
    }
    const reply = this.read(endpoint, response, request.url);
    binding?.settle(reply as object);
    return reply;
  }

  private read<Reply>(endpoint: Endpoint<string, unknown, Reply>, response: HttpResponse, url: string): Reply {
    try {
      return readReply(endpoint, response, url);
    } catch (error) {
      if (isAuthError(error) && error.kind === 'unreachable' && error.reason !== 'captcha-required')
        this.onFailure(error);
      throw error;
    }
  }

  /** The client's description in each request and each logged event. */
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

  /** The binding of logins. Its file loads like any other file of the library: a failure counts as a network error. */
  private async binding(): Promise<BindingSource | null> {
    try {
      return await this.bindLogins(this.requiresBinding);
    } catch (cause) {
      throw unreachable(cause, undefined, this.ports.browser.isOnline);
    }
  }

  /** Throws an SDKUsageError for values that cannot be serialized: a cycle, a BigInt, a lone surrogate in a path. */
  private request(
    { name, method, path }: Endpoint,
    body: unknown,
    { params = {}, signal, keepalive, once }: CallOptions,
  ): HttpRequest {
    const hasBody = method === 'POST' || method === 'PUT';
    let [url, text]: [string, string | null] = ['', null];
    try {
      url = `${this.origin}${API_PREFIX}${pathOf(path, params)}`;
      if (hasBody) text = JSON.stringify(body);
    } catch (cause) {
      const error = new SDKUsageError(name, 'the arguments must be values that can be sent as JSON');
      error.cause = cause;
      throw error;
    }
    return { method, url, headers: this.headers(), body: text, signal, keepalive, once };
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
    const id = storage.get(this.keys.storage(key));
    if (id?.startsWith(`${prefix}-`) && id.length < 80) return id;
    const newId = `${prefix}-${this.ports.crypto.uuid()}`;
    storage.set(this.keys.storage(key), newId);
    return newId;
  }
}
