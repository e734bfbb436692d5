/** `portico/server/next`: authenticates requests, for apps of Next with the app router. */
import { headers } from 'next/headers.js';
import { connection } from 'next/server.js';
import type { Authentication, Requirements, SignedIn } from '#application/server/authentication.ts';
import { crossOriginMessage } from '#application/server/refusal.ts';
import { refuseMistakes } from '#application/server/mistakes.ts';
import { checkRequirements, verifierMistakes } from '#application/server/requirements.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { RETURN_TO, safeReturnPath } from '#domain/consent/return-path.ts';
import { isRecord } from '#domain/shape.ts';
import { unknownOption } from '#domain/widget/option-names.ts';
import type { Verifier } from '../server.ts';
import { keptPrivate, refusalResponse } from '../server-responses.ts';

export { safeReturnPath };

/** Options of `createNextAuth`. */
export interface NextAuthOptions {
  /** The path of the sign-in page. Default: `/login`. */
  readonly signInPath?: string;
}

const OPTIONS = ['signInPath'] as const satisfies readonly (keyof NextAuthOptions)[];

/**
 * The query parameter of Next's router. Next redirects a fetch without it to a URL with it, and browsers cache that redirect. With the
 * empty parameter they cache it for a URL that only fetches use, not for the sign-in page's own URL, which Back may open.
 */
const ROUTER_HASH = '_rsc';

/** The members of a `NextRequest` that the proxy uses. */
interface ProxyRequest extends Request {
  readonly nextUrl: { readonly pathname: string; readonly search: string; readonly basePath: string };
}

type RouteHandler<R extends Request, Context> = (request: R, context: Context) => Promise<Response>;

/** The sign-in state, for the parts of a Next app. */
export interface NextAuth {
  /** The result of the authentication, for server components, server functions and route handlers. The request is verified at most once. */
  auth(requirements?: Requirements): Promise<Authentication>;
  /**
   * For pages: redirects signed-out visitors to the sign-in page, and shows the app's `not-found` to users who do not meet the
   * requirements. Throws for the app's `error` page if the session could not be verified.
   *
   * @param returnTo the page's own path, to return to after the sign-in
   */
  requireAuth(requirements?: Requirements, returnTo?: string): Promise<SignedIn>;
  /** For route handlers: responds with status 401, 403 or 503 and JSON unless the request meets the requirements. */
  withAuth<R extends Request, Context>(
    requirements: Requirements,
    handler: (request: R, who: SignedIn, context: Context) => Response | Promise<Response>,
  ): RouteHandler<R, Context>;
  /**
   * For `proxy.ts`: redirects navigations of signed-out visitors to the sign-in page, with the path to return to. This only responds early.
   * The pages must still check the session.
   */
  proxy(requirements?: Requirements): (request: ProxyRequest) => Promise<Response | undefined>;
}

function optionMistakes(options: NextAuthOptions): readonly string[] {
  const unknown = unknownOption(options, OPTIONS);
  const { signInPath = '/login' } = isRecord(options) ? options : {};
  const isPath = typeof signInPath === 'string' && signInPath !== '' && safeReturnPath(signInPath, '') === signInPath;
  return [
    ...(unknown === null ? [] : [isRecord(options) ? unknown : `options ${unknown}`]),
    ...(isPath ? [] : ['signInPath must be a path of this app, such as /login']),
  ];
}

/** The guards of an app, which share one verifier. Throws an SDKUsageError that names every mistake in the options. */
export function createNextAuth(verifier: Verifier, options: NextAuthOptions = {}): NextAuth {
  refuseMistakes('createNextAuth', [...verifierMistakes(verifier), ...optionMistakes(options)]);
  const { signInPath = '/login' } = options;
  /** The key is the request's headers object, which stays the same during a request. */
  const resultsByRequest = new WeakMap<object, Map<string, Promise<Authentication>>>();

  const signInAt = (returnTo: string | undefined): string => {
    const path = returnTo === undefined ? null : safeReturnPath(returnTo);
    return path === null ? signInPath : `${signInPath}?${new URLSearchParams({ [RETURN_TO]: path })}`;
  };

  const auth = async (requirements: Requirements = {}): Promise<Authentication> => {
    const requestHeaders = await headers();
    // The code below reads the clock, which Next rejects while it prerenders. The headers are available there.
    await connection();
    const results = resultsByRequest.get(requestHeaders) ?? new Map<string, Promise<Authentication>>();
    resultsByRequest.set(requestHeaders, results);
    const key = JSON.stringify(requirements);
    const found = results.get(key) ?? verifier.authenticateRequest({ headers: requestHeaders }, requirements);
    results.set(key, found);
    return found;
  };

  return {
    auth,

    async requireAuth(requirements, returnTo) {
      const found = await auth(requirements);
      if (found.status === 'signed-in') return found;
      if (found.status === 'unavailable') throw found.error;
      if (found.status === 'cross-origin') throw new SDKUsageError('requireAuth', crossOriginMessage(found));
      // Only Next's bundler resolves this name, to the server build; Node does not. Therefore it is loaded on demand.
      const { notFound, redirect } = await import('next/navigation');
      return found.status === 'signed-out' ? redirect(signInAt(returnTo)) : notFound();
    },

    withAuth: (requirements, handler) => {
      checkRequirements('withAuth', requirements);
      return async (request, context) => {
        const found = await verifier.authenticateRequest(request, requirements);
        if (found.status !== 'signed-in') return refusalResponse(found);
        return keptPrivate(await handler(request, found, context));
      };
    },

    proxy: (requirements = {}) => {
      checkRequirements('proxy', requirements);
      return async (request) => {
        const found = await verifier.authenticateRequest(request, requirements);
        if (found.status === 'signed-in') return undefined;
        const navigates = request.method === 'GET' || request.method === 'HEAD';
        if (found.status !== 'signed-out' || !navigates) return refusalResponse(found);
        const { pathname, search, basePath } = request.nextUrl;
        const location = new URL(`${basePath}${signInAt(`${pathname}${search}`)}`, request.url);
        if (request.headers.get('sec-fetch-dest') === 'empty') location.searchParams.set(ROUTER_HASH, '');
        return new Response(null, { status: 307, headers: { location: location.href, 'cache-control': 'no-store' } });
      };
    },
  };
}
