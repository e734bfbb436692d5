import { privacyHeaders, refusalOf, type RefusedAuthentication } from '../application/server/refusal.ts';

/** The `Response` to a request that is refused: status 401, 403 or 503, and JSON that names what is missing. */
export function refusalResponse(found: RefusedAuthentication): Response {
  const { status, headers, body } = refusalOf(found);
  return new Response(JSON.stringify(body), { status, headers });
}

/** The response with headers that keep it out of shared caches, whose own headers may be immutable. */
export function keptPrivate(response: Response): Response {
  // A change of protocol has no body that a cache could keep, and cannot be made anew.
  if (response.status < 200) return response;
  const kept = new Response(response.body, response);
  for (const [name, value] of Object.entries(privacyHeaders((name) => response.headers.get(name)))) {
    kept.headers.set(name, value);
  }
  return kept;
}
