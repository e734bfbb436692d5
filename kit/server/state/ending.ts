import { endsWith, factorIdsOf, grantAfter, type AccessEnd } from '#server-rules/provenance.ts';
import { isLive } from './lifetime.ts';
import type { ServerState } from './state.ts';
import { endAdditions, removeRows } from './user-rows.ts';
import type { LiveSession } from './tables.ts';

/** Ends a session. Also ends the sessions of apps whose access was granted in it without `offline_access`. */
export function endSession(state: ServerState, sessionId: string): void {
  for (const { session_id, scopes, family_id, user_id } of state.accessTokens.values()) {
    if (session_id !== sessionId || scopes.includes('offline_access')) continue;
    removeRows(state.sessions, user_id, (session) => session.family_id === family_id);
  }
  dropSession(state, sessionId);
}

/** Ends the sessions that are based on one of these login methods, and the access that was granted in them. */
export function endSessionsOfFactors(
  state: ServerState,
  userId: string,
  factor_ids: readonly string[],
  keptSessionId: string,
): void {
  endMany(state, userId, { keptSessionId, factor_ids }, (session) =>
    factorIdsOf(session).some((id) => factor_ids.includes(id)),
  );
}

/** Ends all live sessions of the user except one, and the access that was granted in them. */
export function endOtherSessions(state: ServerState, userId: string, keptSessionId: string): void {
  endMany(state, userId, { keptSessionId, factor_ids: [] }, (session) => isLive(state, session));
}

function endMany(
  state: ServerState,
  userId: string,
  which: Omit<AccessEnd, 'session_ids'> & { readonly keptSessionId: string },
  ends: (session: LiveSession) => boolean,
): void {
  const { keptSessionId } = which;
  const ids = [...state.sessions.values()]
    .filter(({ user_id, session_id }) => user_id === userId && session_id !== keptSessionId)
    .filter(ends)
    .map(({ session_id }) => session_id);
  const end = { ...which, session_ids: new Set(ids) };
  for (const [key, consent] of state.consents) {
    if (consent.user_id !== userId) continue;
    const tokens = [...state.accessTokens.values()].filter(
      ({ user_id, client_id }) => user_id === userId && client_id === consent.client_id,
    );
    const grant = grantAfter(consent, tokens, end);
    const isGone = grant.scopes.length === 0;
    if (isGone) state.consents.delete(key);
    else state.consents.set(key, { ...consent, ...grant });
    for (const token of tokens) {
      if (isGone || endsWith(end, token)) {
        removeRows(state.sessions, userId, ({ family_id }) => family_id === token.family_id);
        removeRows(state.accessTokens, userId, ({ family_id }) => family_id === token.family_id);
      }
    }
    if (isGone) removeRows(state.authorizationCodes, userId, ({ client_id }) => client_id === consent.client_id);
  }
  for (const id of ids) dropSession(state, id);
  endAdditions(state, userId);
}

function dropSession(state: ServerState, sessionId: string): void {
  for (const [code, row] of state.authorizationCodes) {
    if (row.session_id === sessionId) state.authorizationCodes.delete(code);
  }
  state.sessions.delete(sessionId);
}
