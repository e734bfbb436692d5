/** `portico/server/mcp`: guards an MCP server, for the official server package, Hono, Express and any server with `Request`. */
import { AccessTokens, type McpAuth } from '#application/server/mcp/access-token.ts';
import { McpRequests, type McpVerdict, type ProtectedResourceMetadata } from '#application/server/mcp/mcp-guard.ts';
import { checkedMcpOptions, type McpGuardOptions as Options } from '#application/server/mcp/mcp-options.ts';
import { checkRequest } from '#application/server/request-check.ts';
import { KeyRing } from '#application/server/key-ring.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { parseJson } from '#domain/json.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { boundedText } from '#infrastructure/http/bounded-text.ts';
import { FetchTransport, type Fetch } from '#infrastructure/http/fetch-transport.ts';
import { JwksOverHttp } from '#infrastructure/http/jwks-over-http.ts';
import { JoseJwt } from '#infrastructure/server/jose-jwt.ts';

export { SDKUsageError };
export type { McpAuth, ProtectedResourceMetadata };
export type { McpRefusal, McpVerdict } from '#application/server/mcp/mcp-guard.ts';

/** Options of `createMcpGuard`. */
export interface McpGuardOptions extends Omit<Options, 'fetch'> {
  /** A `fetch` to use instead of the platform's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The members of a Hono context that the middleware uses. */
export interface McpHonoContext {
  readonly req: { readonly raw: Request };
  set(key: 'auth', value: McpAuth): void;
}

/** The members of a request that the middleware uses; those of Node and Express have them. */
export interface McpNodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  /** The parsed body, if a middleware has read it. */
  readonly body?: unknown;
}

/** The members of a response that the middleware uses; those of Node and Express have them. */
export interface McpNodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

/** Guards one MCP server. It caches the keys of the issuer, so create one for the lifetime of the server. */
export interface McpGuard {
  /** The server's description of itself (RFC 9728). */
  readonly metadata: ProtectedResourceMetadata;
  /** The path of the metadata: `/.well-known/oauth-protected-resource`, and the path of the resource. */
  readonly metadataPath: string;
  /**
   * Checks one request by its `Authorization` header, and the JSON-RPC message of its body if tools have scopes.
   *
   * @param header the header; null for none
   */
  authorize(header: string | null, message?: unknown): Promise<McpVerdict>;
  /** Serves the metadata, refuses requests without a valid token with 401, 403 or 503, and passes the others to the handler. */
  fetch(
    request: Request,
    handler: (request: Request, auth: McpAuth) => Response | Promise<Response>,
  ): Promise<Response>;
  /** The same as middleware of Hono; `c.get('auth')` is the token. Mount it for every path, so that it serves the metadata. */
  readonly hono: (context: McpHonoContext, next: () => Promise<void>) => Promise<Response | undefined>;
  /**
   * The same as middleware of Express; `req.auth` is the token, which the official server package passes to its tools. Mount it for every
   * path, and after `express.json()` if tools have scopes.
   */
  readonly express: (
    request: McpNodeRequest,
    response: McpNodeResponse,
    next: (error?: unknown) => void,
  ) => Promise<void>;
}

const MAX_BYTES = 1024 * 1024;
const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const OF_METADATA = { ...JSON_TYPE, ...PREFLIGHT, 'cache-control': 'public, max-age=300' };

/** For a POST with an unreadable message, if tools have scopes: its handler could interpret it differently. */
const UNREAD = {
  status: 415,
  headers: JSON_TYPE,
  text: JSON.stringify({ error: 'invalid_request', error_description: 'The body must be JSON (application/json).' }),
};

const TOO_LARGE = {
  status: 413,
  headers: JSON_TYPE,
  text: JSON.stringify({ error: 'invalid_request', error_description: `The body is longer than ${MAX_BYTES} bytes.` }),
};

interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
}

/**
 * Guards an MCP server as a protected resource. Only access tokens of the issuer whose single audience is the resource pass.
 *
 * Throws an SDKUsageError that names the first invalid option.
 */
export function createMcpGuard(options: McpGuardOptions): McpGuard {
  const checked = checkedMcpOptions(options);
  const { adapters = {} } = options;
  const { clock = new SystemClock(globalThis) } = adapters;
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const limits = { timeoutMs: checked.timeoutMs, maxBytes: MAX_BYTES };
  const transport = adapters.transport ?? new FetchTransport(fetch, clock, limits);
  const keys = new KeyRing(adapters.keys ?? new JwksOverHttp(transport, checked.jwksUrl), clock, false);
  const requests = new McpRequests(new AccessTokens(new JoseJwt(), keys, clock, checked), checked, options);
  const readsBodies = checked.tools.size > 0;
  const metadataText = JSON.stringify(requests.metadata);

  /** The response to a request for the metadata; null for any other request. */
  const metadataAt = (path: string, method = 'GET'): PlainResponse | null => {
    if (path !== requests.metadataPath) return null;
    if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT, text: null };
    return { status: 200, headers: OF_METADATA, text: metadataText };
  };
  const checkOf = async (header: string | null, message: unknown, method = 'GET'): Promise<PlainResponse | McpAuth> => {
    const verdict = await requests.authorize(header, message);
    if ('auth' in verdict) return method === 'POST' && readsBodies && message === undefined ? UNREAD : verdict.auth;
    const { status, headers, body } = verdict.refusal;
    return { status, headers: { ...headers, ...JSON_TYPE }, text: JSON.stringify(body) };
  };
  /** A refusal also lists the scopes that the message needs, so its body is read, up to the maximum length of a message. */
  const judge = async (request: Request): Promise<PlainResponse | McpAuth> => {
    const { method, headers } = request;
    const metadata = metadataAt(new URL(request.url).pathname, method);
    if (metadata !== null) return metadata;
    const header = headers.get('authorization');
    if (!readsBodies || method !== 'POST') return checkOf(header, undefined);
    const text = await boundedText(request.clone().body, MAX_BYTES);
    if (text !== null) return checkOf(header, parseJson(text), method);
    const found = await checkOf(header, undefined);
    return 'status' in found ? found : TOO_LARGE;
  };
  const check = async (request: Request): Promise<Response | McpAuth> => {
    const found = await judge(request);
    return 'status' in found ? new Response(found.text, found) : found;
  };

  return {
    metadata: requests.metadata,
    metadataPath: requests.metadataPath,
    authorize: (header, message) => requests.authorize(header, message),
    async fetch(request, handler) {
      checkWebRequest('guard.fetch', request);
      const found = await check(request);
      return found instanceof Response ? found : handler(request, found);
    },
    async hono(context, next) {
      const raw = (context as Partial<McpHonoContext>).req?.raw;
      checkWebRequest('guard.hono', raw);
      const found = await check(raw);
      if (found instanceof Response) return found;
      context.set('auth', found);
      await next();
      return undefined;
    },
    async express(request, response, next) {
      let passed = false;
      try {
        checkRequest('guard.express', request);
        const { headers, method, url = '/', originalUrl = url, body } = request;
        const isParsed = 'body' in request;
        const [path = ''] = originalUrl.split('?');
        if (readsBodies && method === 'POST' && !isParsed) {
          throw new SDKUsageError('createMcpGuard', 'tools have scopes: express.json() must stand before the guard');
        }
        const { authorization: header } = headers;
        const found =
          metadataAt(path, method) ?? (await checkOf(typeof header === 'string' ? header : null, body, method));
        if ('status' in found) send(response, found);
        else {
          // The official server package reads it there.
          Object.assign(request, { auth: found });
          passed = true;
        }
      } catch (error) {
        return next(error);
      }
      if (passed) next();
    },
  };
}

function send(response: McpNodeResponse, { status, headers, text }: PlainResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(text ?? undefined);
}

/** For methods that only a `Request` has. */
function checkWebRequest(method: string, request: unknown): asserts request is Request {
  checkRequest(method, request);
  if (typeof request.headers.get === 'function' && typeof request.url === 'string') return;
  throw new TypeError(`${method} needs a Request; this is an object that lacks its headers or its url`);
}
