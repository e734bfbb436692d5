/** `portico/server/express`: authenticates requests, for apps of Express and other servers with its kind of middleware. */
import type { Authentication, Requirements, SignedIn } from '#application/server/authentication.ts';
import { privacyHeaders, refusalOf } from '#application/server/refusal.ts';
import { checkGuard } from '#application/server/requirements.ts';
import { SDKUsageError } from '#domain/errors.ts';
import type { Verifier } from '../server.ts';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Express reads additions to the request type only from this namespace.
  namespace Express {
    interface Request {
      /** The result of the authentication, after `authenticate` or `requireAuth` of `portico/server/express`. */
      auth?: Authentication;
    }
  }
}

/** The members of a request that the middleware uses; Node's request has them. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method?: string | undefined;
  readonly socket?: object | null | undefined;
  auth?: Authentication;
}

/** The members of a response that the middleware uses; Node's response has them. */
export interface NodeResponse {
  statusCode: number;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** A middleware for Express, or any server with Node's requests and responses. */
export type NodeMiddleware = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/** Stores the result of the authentication in `req.auth`, and lets every request pass. */
export function authenticate(verifier: Verifier): NodeMiddleware {
  checkGuard('authenticate', verifier);
  return middleware(async (request, response) => {
    request.auth = await verifier.authenticateRequest(request);
    set(response, privacyHeaders(headerOf(response)));
    return true;
  });
}

/**
 * Passes only signed-in users who meet the requirements; `authOf(req)` returns their session. Other requests get status 401, 403 or
 * 503, and JSON that names the problem. Throws an SDKUsageError for anything but a verifier, and for wrong requirements.
 */
export function requireAuth(verifier: Verifier, requirements: Requirements = {}): NodeMiddleware {
  checkGuard('requireAuth', verifier, requirements);
  return middleware(async (request, response) => {
    const found = await verifier.authenticateRequest(request, requirements);
    request.auth = found;
    if (found.status === 'signed-in') {
      set(response, privacyHeaders(headerOf(response)));
      return true;
    }
    const { status, headers, body } = refusalOf(found);
    response.statusCode = status;
    set(response, headers);
    response.end(JSON.stringify(body));
    return false;
  });
}

/** The authenticated session of a request that passed `requireAuth`. Throws an SDKUsageError for a route without that guard. */
export function authOf(request: { readonly auth?: Authentication }): SignedIn {
  if (request.auth?.status === 'signed-in') return request.auth;
  throw new SDKUsageError('authOf', 'requireAuth must stand before the handler');
}

/** Express 4 ignores the rejection of a promise. */
const middleware =
  (passes: (request: NodeRequest, response: NodeResponse) => Promise<boolean>): NodeMiddleware =>
  async (request, response, next) => {
    let goesOn: boolean;
    try {
      goesOn = await passes(request, response);
    } catch (error) {
      return next(error);
    }
    if (goesOn) next();
  };

const headerOf =
  (response: NodeResponse) =>
  (name: string): string | null => {
    const value = response.getHeader(name);
    return value === undefined ? null : String(value);
  };

function set(response: NodeResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
