/** A fetch handler, as runtimes at the edge take it: the same file for each of them. */
import { createVerifier, refusalResponse } from 'portico/server';

/** Written in by the test's build. */
declare const PROVIDER: { readonly apiUrl: string; readonly projectId: string; readonly publicToken: string };

const verifier = createVerifier(PROVIDER);

async function answer(request: Request): Promise<Response> {
  const role = new URL(request.url).searchParams.get('role');
  const who = await verifier.authenticateRequest(request, role === null ? {} : { roles: [role] });
  if (who.status !== 'signed-in') return refusalResponse(who);
  return Response.json({ user_id: who.user_id, source: who.source });
}

const handler: { readonly fetch: (request: Request) => Promise<Response> } = { fetch: answer };

export default handler;
