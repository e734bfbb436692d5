import type { ListedSession, Session } from '../session.ts';

/** What a list of sessions tells of each: of a factor its kind, not the address, key or impersonator behind it. */
export function listedSession(
  session: Pick<Session, 'session_id' | 'started_at' | 'last_accessed_at' | 'expires_at' | 'attributes'> & {
    readonly authentication_factors: readonly { readonly type: string; readonly delivery_method: string }[];
  },
  current: string,
): ListedSession {
  const { session_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors } = session;
  return {
    session_id,
    started_at,
    last_accessed_at,
    expires_at,
    attributes,
    authentication_factors: authentication_factors.map(({ type, delivery_method }) => ({ type, delivery_method })),
    is_current: session_id === current,
  };
}
