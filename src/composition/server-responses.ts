import { privacyHeaders, refusalOf, type RefusedAuthentication } from '#application/server/refusal.ts';

/** The `Response` to a rejected request: status 401, 403 or 503, and JSON that names the problem. */
export function refusalResponse(found: RefusedAuthentication): Response {
  const { status, headers, body } = refusalOf(found);
  return new Response(JSON.stringify(body), { status, headers });
}

/** A copy of the response with headers that keep it out of shared caches. A copy, because its headers may be immutable. */
export function keptPrivate(response: Response): Response {
  // A protocol switch (status 101) has no body for a cache, and cannot be constructed again.
  if (response.status < 200) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(privacyHeaders((name) => response.headers.get(name)))) {
    copy.headers.set(name, value);
  }
  return copy;
}
