import { absoluteEnd, MINUTE_MS, earliestStart, sessionEnd } from '#domain/rules/lifetimes.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';

/** An unused refresh token expires after 30 days. The fake never uses refresh tokens, so an app's tokens end then. */
const OFFLINE_MS = 30 * 24 * 60 * MINUTE_MS;

/** The latest end of a session that an app created from its tokens; null if it must not create one. */
export function endOfFamily(state: ServerState, familyId: string): number | null {
  const token = [...state.accessTokens.values()].find(({ family_id }) => family_id === familyId);
  if (token === undefined) return null;
  if (token.scopes.includes('offline_access')) return token.issuedAt + OFFLINE_MS;
  const origin = token.session_id === null ? undefined : state.sessions.get(token.session_id);
  if (origin === undefined) return null;
  const longest = absoluteEnd(state.limits(), Date.parse(origin.started_at));
  return Math.min(token.expiresAt, Date.parse(origin.expires_at), longest);
}

/** True until the session, or the token from which an app created it, expires. */
export function isLive(state: ServerState, { started_at, expires_at, family_id }: LiveSession): boolean {
  const now = state.now();
  const latest = family_id === null ? Infinity : (endOfFamily(state, family_id) ?? now);
  const hasStarted = Date.parse(started_at) > earliestStart(state.limits(), now);
  return hasStarted && Math.min(Date.parse(expires_at), latest) > now;
}

/** The end of a session that starts, is joined or is extended. Null minutes keep the current end. */
export function endOf(
  state: ServerState,
  session: Pick<LiveSession, 'started_at' | 'family_id'> & { readonly expires_at?: string },
  minutes: number | null,
): string {
  const { started_at, expires_at, family_id } = session;
  const now = state.now();
  const ownEnd = absoluteEnd(state.limits(), Date.parse(started_at));
  const latest = family_id === null ? ownEnd : Math.min(ownEnd, endOfFamily(state, family_id) ?? now);
  const endsAt = expires_at === undefined ? 0 : Date.parse(expires_at);
  return new Date(sessionEnd(state.limits(), { now, endsAt, minutes, latest })).toISOString();
}
