import { checkPostLogoutRedirectUri, withQuery } from '#server-rules/connected-apps.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '#provider/accounts/services.ts';
import { isTrustedReceiver, requireApp } from '#provider/project/registry/connected-apps.ts';
import { readIdTokenHint, type IdTokenHint } from '../tokens/read-tokens.ts';

/** The parameters of an app's logout request (OpenID Connect RP-Initiated Logout, section 2). None is required. */
export interface LogoutRequest {
  readonly client_id?: string | undefined;
  readonly post_logout_redirect_uri?: string | undefined;
  readonly id_token_hint?: string | undefined;
  readonly state?: string | undefined;
}

export interface CheckedLogout {
  /** The ID token's client, user and session; null without an ID token. */
  readonly hint: IdTokenHint | null;
  /** The next URL for the browser, with `state`; null if it stays at a page of the project. */
  readonly target: string | null;
}

/**
 * Refuses an ID token of another server or client, and a URL that the client did not register. Without a client the URL could be anyone's,
 * so it is ignored (RP-Initiated Logout, section 3). So is the URL of an agent that nobody checked.
 */
export async function checkLogout(
  services: Pick<Services, 'db' | 'keys' | 'clock' | 'project'>,
  { client_id, post_logout_redirect_uri: uri, id_token_hint, state }: LogoutRequest,
): Promise<CheckedLogout> {
  const hint = id_token_hint === undefined ? null : await readIdTokenHint(services, id_token_hint);
  const isForeign = hint === null || (client_id !== undefined && client_id !== hint.client_id);
  if (id_token_hint !== undefined && isForeign) throw new Refusal('invalid_id_token_hint');
  const clientId = client_id ?? hint?.client_id;
  if (clientId === undefined || (uri === undefined && client_id === undefined)) return { hint, target: null };
  const client = await requireApp(services, clientId);
  if (uri === undefined) return { hint, target: null };
  checkPostLogoutRedirectUri(client, uri);
  return { hint, target: isTrustedReceiver(client, uri) ? withQuery(uri, { state }) : null };
}
