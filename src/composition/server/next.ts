/** `portico/server/next`: who sent a request, for apps of Next with the app router. */
import { headers } from 'next/headers.js';
import { connection } from 'next/server.js';
import type { Authentication, Requirements, SignedIn } from '../../application/server/authentication.ts';
import { crossOriginMessage } from '../../application/server/refusal.ts';
import { SDKUsageError } from '../../domain/errors.ts';
import { RETURN_TO, safeReturnPath } from '../../domain/consent/return-path.ts';
import type { Verifier } from '../server.ts';
import { keptPrivate, refusalResponse } from '../server-responses.ts';

export { safeReturnPath };

/** Options of `createNextAuth`. */
export interface NextAuthOptions {
  /** The path of the page that signs in: `/login` unless given. */
  readonly signInPath?: string;
}

/** What the proxy needs of a `NextRequest`. */
interface ProxyRequest extends Request {
  readonly nextUrl: { readonly pathname: string; readonly search: string; readonly basePath: string };
}

type RouteHandler<R extends Request, Context> = (request: R, context: Context) => Promise<Response>;

/** Who is signed in, for the parts of a Next app. */
export interface NextAuth {
  /** Who sent the request, in server components, server functions and route handlers. Asks at most once per request. */
  auth(requirements?: Requirements): Promise<Authentication>;
  /**
   * For pages: redirects to the sign-in page whoever is signed out, and shows the app's `not-found` to whoever lacks something.
   * Throws what made it impossible to tell, for the app's `error` page.
   *
   * @param returnTo the page's own path, to come back to after the sign-in
   */
  requireAuth(requirements?: Requirements, returnTo?: string): Promise<SignedIn>;
  /** For route handlers: answers with status 401, 403 or 503 and JSON unless the request meets the requirements. */
  withAuth<R extends Request, Context>(
    requirements: Requirements,
    handler: (request: R, who: SignedIn, context: Context) => Response | Promise<Response>,
  ): RouteHandler<R, Context>;
  /**
   * For `proxy.ts`: redirects navigations of whoever is signed out to the sign-in page, with the way back. It makes answers
   * early; the pages behind it check for themselves.
   */
  proxy(requirements?: Requirements): (request: ProxyRequest) => Promise<Response | undefined>;
}

/** The guards of an app that share one verifier. */
export function createNextAuth(verifier: Verifier, { signInPath = '/login' }: NextAuthOptions = {}): NextAuth {
  if (safeReturnPath(signInPath, '') !== signInPath || signInPath === '') {
    throw new SDKUsageError('createNextAuth', 'signInPath must be a path of this app, such as /login');
  }
  /** By the headers of the request, which are one object for as long as it lasts. */
  const asked = new WeakMap<object, Map<string, Promise<Authentication>>>();

  const signInAt = (returnTo: string | undefined): string => {
    const path = returnTo === undefined ? null : safeReturnPath(returnTo);
    return path === null ? signInPath : `${signInPath}?${new URLSearchParams({ [RETURN_TO]: path })}`;
  };

  const auth = async (requirements: Requirements = {}): Promise<Authentication> => {
    const sent = await headers();
    // What follows reads the clock, which Next refuses in what it renders ahead of a navigation; the headers are known there.
    await connection();
    const known = asked.get(sent) ?? new Map<string, Promise<Authentication>>();
    asked.set(sent, known);
    const key = JSON.stringify(requirements);
    const found = known.get(key) ?? verifier.authenticateRequest({ headers: sent }, requirements);
    known.set(key, found);
    return found;
  };

  return {
    auth,

    async requireAuth(requirements, returnTo) {
      const found = await auth(requirements);
      if (found.status === 'signed-in') return found;
      if (found.status === 'unavailable') throw found.error;
      if (found.status === 'cross-origin') throw new SDKUsageError('requireAuth', crossOriginMessage(found));
      // Next's bundler finds the build for servers by this name alone, which Node does not resolve: loaded when it is needed.
      const { notFound, redirect } = await import('next/navigation');
      return found.status === 'signed-out' ? redirect(signInAt(returnTo)) : notFound();
    },

    withAuth: (requirements, handler) => async (request, context) => {
      const found = await verifier.authenticateRequest(request, requirements);
      if (found.status !== 'signed-in') return refusalResponse(found);
      return keptPrivate(await handler(request, found, context));
    },

    proxy: (requirements) => async (request) => {
      const found = await verifier.authenticateRequest(request, requirements);
      if (found.status === 'signed-in') return undefined;
      const navigates = request.method === 'GET' || request.method === 'HEAD';
      if (found.status !== 'signed-out' || !navigates) return refusalResponse(found);
      const { pathname, search, basePath } = request.nextUrl;
      const location = new URL(`${basePath}${signInAt(`${pathname}${search}`)}`, request.url).href;
      return new Response(null, { status: 307, headers: { location, 'cache-control': 'no-store' } });
    },
  };
}
