import type { AuthorizationGrounds } from '#server-rules/authorization.ts';
import { isLasting } from '#server-rules/authorization.ts';
import type { ConnectedApp } from '#server-rules/connected-apps.ts';
import { ACCESS_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { extendedGrant, factorIdsOf } from '#server-rules/provenance.ts';
import { requireSecondFactor } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { AuthorizationCode, LiveSession } from '../state/tables.ts';
import { readUser } from '../state/user-rows.ts';

/** What apps and devices get from users: consents, codes and tokens. */

export const consentKey = (userId: string, clientId: string): string => `${userId} ${clientId}`;

/** The input of the rules: the app, the user's roles, and the scopes that the user granted before. */
export function authorizing(
  state: ServerState,
  client: ConnectedApp,
  session: LiveSession,
): AuthorizationGrounds & { readonly granted: readonly string[] } {
  const { user_id } = session;
  return {
    project: state.rules(),
    client,
    session,
    user_id,
    // There is no authorization endpoint: apps open the page itself.
    arrival: null,
    roles: readUser(state, user_id).roles,
    granted: state.consents.get(consentKey(user_id, client.client_id))?.scopes ?? [],
    now: state.now(),
  };
}

/** Extends the user's consent, and creates a code for the scopes. */
export function grantCode(
  state: ServerState,
  session: LiveSession,
  client_id: string,
  binding: Pick<AuthorizationCode, 'scopes' | 'redirect_uri' | 'challenge' | 'expiresAt'>,
): string {
  const { user_id, session_id } = session;
  const { scopes } = binding;
  if (isLasting(scopes)) requireSecondFactor(state, user_id, session);
  const provenance = { session_id, factor_ids: factorIdsOf(session) };
  const key = consentKey(user_id, client_id);
  const before = state.consents.get(key) ?? { scopes: [], given_in: {} };
  state.consents.set(key, { user_id, client_id, ...extendedGrant(before, scopes, provenance) });
  const code = `authorization-code-${state.next()}`;
  state.authorizationCodes.set(code, { user_id, client_id, ...binding, ...provenance });
  return code;
}

/** The tokens that an app gets. */
export interface AppTokens {
  readonly access_token: string;
  readonly id_token: string;
}

/** Uses the code up. */
export function redeem(state: ServerState, code: string, row: AuthorizationCode): AppTokens {
  const { user_id, client_id, scopes, session_id, factor_ids } = row;
  state.authorizationCodes.delete(code);
  const access_token = `access-token-${state.next()}`;
  const expiresAt = state.in(ACCESS_TOKEN_MINUTES);
  const provenance = { session_id, factor_ids, issuedAt: state.now() };
  state.accessTokens.set(access_token, { user_id, client_id, scopes, expiresAt, family_id: code, ...provenance });
  return { access_token, id_token: `id-token:${client_id}:${session_id}` };
}
