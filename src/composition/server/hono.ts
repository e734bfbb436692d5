/** `portico/server/hono`: who sent a request, for apps of Hono. */
import type { Context, MiddlewareHandler } from 'hono';
import type { Authentication, Requirements, SignedIn } from '../../application/server/authentication.ts';
import { privacyHeaders } from '../../application/server/refusal.ts';
import type { Verifier } from '../server.ts';
import { refusalResponse } from '../server-responses.ts';

/** Puts who sent the request into `c.get('auth')`, and refuses nobody. */
export function authenticate(verifier: Verifier): MiddlewareHandler<{ Variables: { auth: Authentication } }> {
  return async (context, next) => {
    context.set('auth', await verifier.authenticateRequest(context.req.raw));
    await next();
    keepPrivate(context);
  };
}

/**
 * Lets only signed-in users pass who meet the requirements; `c.get('auth')` is who they are. All others get status 401, 403 or
 * 503, and JSON that names what is missing.
 */
export function requireAuth(
  verifier: Verifier,
  requirements: Requirements = {},
): MiddlewareHandler<{ Variables: { auth: SignedIn } }> {
  return async (context, next) => {
    const found = await verifier.authenticateRequest(context.req.raw, requirements);
    if (found.status !== 'signed-in') return refusalResponse(found);
    context.set('auth', found);
    await next();
    keepPrivate(context);
    return undefined;
  };
}

function keepPrivate(context: Context): void {
  // The answer to a change of protocol cannot be made anew, and no cache keeps it.
  if (context.res.status < 200) return;
  const headers = privacyHeaders((name) => context.res.headers.get(name));
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
}
