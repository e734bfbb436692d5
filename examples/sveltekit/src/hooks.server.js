import { whoSent } from '#lib/server/auth.js';

/** Every page and route handler reads `locals.auth`. */
export async function handle({ event, resolve }) {
  event.locals.auth = await whoSent(event.request);
  const response = await resolve(event);
  response.headers.set('Cache-Control', 'private, no-cache');
  return response;
}
