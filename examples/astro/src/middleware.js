import { createVerifier } from 'portico/server';
import { settings } from './settings.js';

/** One for the server: it keeps the keys and the policy. */
const verifier = createVerifier({
  projectId: process.env.PORTICO_PROJECT_ID ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
  ...settings,
});

/** The paths of signed-in people. */
const GUARDED = /^\/account(\/|$)/u;

/** Passes the sender of the request to every page. `fresh` calls the provider for the user, and detects ended sessions at once. */
export async function onRequest(context, next) {
  const who = await verifier.authenticateRequest(context.request, { fresh: true });
  context.locals.auth = who;
  if (GUARDED.test(context.url.pathname) && who.status !== 'signed-in') {
    if (who.status === 'signed-out') return context.redirect('/login', 303);
    return new Response(null, { status: who.status === 'unavailable' ? 503 : 403 });
  }
  const response = await next();
  response.headers.set('Cache-Control', 'private, no-cache');
  return response;
}
