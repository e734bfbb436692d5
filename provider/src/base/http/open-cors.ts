import type { AppContext } from './environment.ts';

const MAX_AGE_SECONDS = '7200';

/**
 * Lets pages of every origin read the reply, without credentials. These endpoints are public, or require a token or code in the request
 * itself, which a browser never adds automatically.
 */
export function allowEveryOrigin(context: AppContext): void {
  context.header('Access-Control-Allow-Origin', '*');
  context.header('Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate, X-Request-Id, DPoP-Nonce');
}

/**
 * Answers a page's preflight. Every header is allowed, such as `MCP-Protocol-Version`, which an agent in a page sends to look for the
 * metadata. The asterisk does not include `Authorization`.
 */
export function answerPreflight(context: AppContext, methods: string): Response {
  allowEveryOrigin(context);
  context.header('Access-Control-Allow-Methods', methods);
  context.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, DPoP, *');
  context.header('Access-Control-Max-Age', MAX_AGE_SECONDS);
  if (context.req.header('access-control-request-private-network') === 'true') {
    context.header('Access-Control-Allow-Private-Network', 'true');
  }
  return context.body(null, 204);
}
