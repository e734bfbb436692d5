import type { ListedSession, Session } from '../sessions/session.ts';
import { SchemaRefusal } from './refusal.ts';

/** An entry of a list of sessions. It contains the kind of each factor, but no address, key or impersonator. */
export function listedSession(
  session: Pick<
    Session,
    'session_id' | 'started_at' | 'last_accessed_at' | 'expires_at' | 'attributes' | 'device_bound'
  > & {
    readonly device_trusted?: boolean;
    readonly authentication_factors: readonly { readonly type: string; readonly delivery_method: string }[];
  },
  current: string,
): ListedSession {
  const { session_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors, device_bound } =
    session;
  const { device_trusted } = session;
  return {
    session_id,
    started_at,
    last_accessed_at,
    expires_at,
    attributes,
    authentication_factors: authentication_factors.map(({ type, delivery_method }) => ({ type, delivery_method })),
    is_current: session_id === current,
    ...(device_bound === true && { device_bound }),
    ...(device_trusted === true && { device_trusted }),
  };
}

/** The maximum number of sessions in a page. */
export const SESSIONS_PER_PAGE = 100;

/** A position in the list of sessions: after the session that was used at this time. */
export interface SessionPlace {
  /** In milliseconds since 1970. */
  readonly last_accessed_at: number;
  readonly session_id: string;
}

const CURSOR = /^(\d{1,15})\.([!-~]{1,128})$/u;

/** The position of a cursor. Throws a Refusal for an invalid cursor. */
export function placeOf(cursor: string): SessionPlace {
  const [, at, session_id] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || session_id === undefined) {
    throw new SchemaRefusal([{ dataPath: ['cursor'], message: 'cursor must be one that a list of sessions returned' }]);
  }
  return { last_accessed_at: Number(at), session_id };
}

/** A page of a list, and the cursor of the next page; null for the last page. */
export interface SessionPage {
  readonly sessions: ListedSession[];
  readonly next_cursor: string | null;
}

/** The first page of these sessions: at most a hundred, in the order of the list. */
export function sessionPage(listed: readonly ListedSession[]): SessionPage {
  const sessions = listed.slice(0, SESSIONS_PER_PAGE);
  const last = listed.length > sessions.length ? sessions.at(-1) : undefined;
  const next_cursor = last === undefined ? null : `${Date.parse(last.last_accessed_at)}.${last.session_id}`;
  return { sessions, next_cursor };
}
