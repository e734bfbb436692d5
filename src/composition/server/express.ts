/** `portico/server/express`: who sent a request, for apps of Express and others that take its middleware. */
import type { Authentication, Requirements, SignedIn } from '../../application/server/authentication.ts';
import { privacyHeaders, refusalOf } from '../../application/server/refusal.ts';
import { SDKUsageError } from '../../domain/errors.ts';
import type { Verifier } from '../server.ts';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Express takes what middleware adds to a request by this name alone.
  namespace Express {
    interface Request {
      /** Who sent the request, after `authenticate` or `requireAuth` of `portico/server/express`. */
      auth?: Authentication;
    }
  }
}

/** What the middleware needs of a request: Node's own has it. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method?: string | undefined;
  readonly socket?: object | null | undefined;
  auth?: Authentication;
}

/** What the middleware needs of a response: Node's own has it. */
export interface NodeResponse {
  statusCode: number;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/** A middleware of Express, or of any server with Node's requests and responses. */
export type NodeMiddleware = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/** Puts who sent the request into `req.auth`, and refuses nobody. */
export function authenticate(verifier: Verifier): NodeMiddleware {
  return middleware(async (request, response) => {
    request.auth = await verifier.authenticateRequest(request);
    set(response, privacyHeaders(headerOf(response)));
    return true;
  });
}

/**
 * Lets only signed-in users pass who meet the requirements; `authOf(req)` is who they are. All others get status 401, 403 or
 * 503, and JSON that names what is missing.
 */
export function requireAuth(verifier: Verifier, requirements: Requirements = {}): NodeMiddleware {
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

/** Who sent a request that `requireAuth` let pass. Throws an SDKUsageError when no guard stands before the route. */
export function authOf(request: { readonly auth?: Authentication }): SignedIn {
  if (request.auth?.status === 'signed-in') return request.auth;
  throw new SDKUsageError('authOf', 'requireAuth must stand before the handler');
}

/** Express 4 does not see what a promise rejects with. */
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
