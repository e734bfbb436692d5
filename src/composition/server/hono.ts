/** `portico/server/hono`: authenticates requests, for apps of Hono. */
import type { Context, MiddlewareHandler } from 'hono';
import type { Authentication, Requirements, SignedIn } from '#application/server/authentication.ts';
import { privacyHeaders } from '#application/server/refusal.ts';
import { checkGuard } from '#application/server/requirements.ts';
import type { Verifier } from '../server.ts';
import { refusalResponse } from '../server-responses.ts';

/** Stores the result of the authentication in `c.get('auth')`, and lets every request pass. */
export function authenticate(verifier: Verifier): MiddlewareHandler<{ Variables: { auth: Authentication } }> {
  checkGuard('authenticate', verifier);
  return async (context, next) => {
    context.set('auth', await verifier.authenticateRequest(rawOf(context)));
    await next();
    keepPrivate(context);
  };
}

/**
 * Passes only signed-in users who meet the requirements; `c.get('auth')` returns their session. Other requests get status 401, 403 or
 * 503, and JSON that names the problem. Throws an SDKUsageError for anything but a verifier, and for wrong requirements.
 */
export function requireAuth(
  verifier: Verifier,
  requirements: Requirements = {},
): MiddlewareHandler<{ Variables: { auth: SignedIn } }> {
  checkGuard('requireAuth', verifier, requirements);
  return async (context, next) => {
    const found = await verifier.authenticateRequest(rawOf(context), requirements);
    if (found.status !== 'signed-in') return refusalResponse(found);
    context.set('auth', found);
    await next();
    keepPrivate(context);
    return undefined;
  };
}

/** Undefined in another kind of server, which the verifier reports. */
const rawOf = (context: Context): Request => (context as Partial<Context>).req?.raw as Request;

function keepPrivate(context: Context): void {
  // The response to a protocol switch (status 101) cannot be constructed again, and no cache stores it.
  if (context.res.status < 200) return;
  const headers = privacyHeaders((name) => context.res.headers.get(name));
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
}
