import type { Authenticated, ReplyBase } from '../../../src/application/api/index.ts';
import { mergeClaims } from '../../../src/domain/rules/custom-claims.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Session } from '../../../src/domain/session.ts';
import type { User } from '../../../src/domain/user.ts';
import type { Db } from '../db/database.ts';
import { MINUTE_MS } from '../platform.ts';
import { sessionToken, tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from '../users/lock.ts';
import { readUserWithRoles } from '../users/read-user.ts';
import { signSession } from './jwt.ts';
import type { SessionRow } from './tables.ts';

/**
 * The session's opaque token in its current generation. It is derived, and only its hash is stored: a caller who presents
 * the JWT gets the same token, and no row is added. The session's row must be locked.
 */
export async function tokenOf({ keys }: Services, db: Db, row: SessionRow): Promise<string> {
  const { session_id, generation } = row;
  const token = sessionToken(keys.codeKey, session_id, generation);
  await db
    .insertInto('session_tokens')
    .values({ token_hash: tokenHash(token), session_id, generation })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return token;
}

/** Marks the session as used, and extends it if minutes are given, but never shortens it. Undefined if it has ended. */
export async function touch(
  services: Services,
  db: Db,
  session: SessionRow,
  minutes: number | undefined,
): Promise<SessionRow | undefined> {
  const now = services.clock.now();
  const wanted = minutes === undefined ? session.expires_at : new Date(now + minutes * MINUTE_MS);
  return db
    .updateTable('sessions')
    .set((update) => ({
      last_accessed_at: new Date(now),
      expires_at: update.fn<Date>('greatest', ['expires_at', update.cast(update.val(wanted), 'timestamptz')]),
    }))
    .where('session_id', '=', session.session_id)
    .where('generation', '=', session.generation)
    .where('expires_at', '>', new Date(now))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Merges these custom claims into the session's, in the transaction that needs them. The row is locked first, so that of two
 * calls at once neither loses what the other added.
 */
export async function addClaims(
  tx: Db,
  { session_id }: Pick<SessionRow, 'session_id'>,
  given: Readonly<Record<string, unknown>>,
): Promise<SessionRow> {
  const { custom_claims } = await tx
    .selectFrom('sessions')
    .select('custom_claims')
    .where('session_id', '=', session_id)
    .forUpdate()
    .executeTakeFirstOrThrow(ended);
  return tx
    .updateTable('sessions')
    .set({ custom_claims: JSON.stringify(mergeClaims(custom_claims, given)) })
    .where('session_id', '=', session_id)
    .returningAll()
    .executeTakeFirstOrThrow(ended);
}

const ended = (): Refusal => new Refusal('unauthorized_credentials');

/** Ends the session: both forms of its secret are refused from now on. */
export async function revoke(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('session_id', '=', sessionId).execute();
}

/** More sessions than this are not listed: those used longest ago are left out. */
const MAX_LISTED = 100;

/** The user's live sessions, the one used last first. */
export async function sessionsOf({ clock }: Services, db: Db, userId: string): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(clock.now()))
    .orderBy('last_accessed_at', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** Ends one of the user's live sessions. False when the user has no such session. */
export async function revokeOf(
  { clock }: Services,
  db: Db,
  { user_id }: LockedUser,
  sessionId: string,
): Promise<boolean> {
  const ended = await db
    .deleteFrom('sessions')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', user_id)
    .where('expires_at', '>', new Date(clock.now()))
    .returning('session_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** The session in the wire's format. It contains the user's roles, because APIs decide by the JWT. */
export function sessionFrom(row: SessionRow, { roles }: Pick<User, 'roles'>): Session {
  return {
    session_id: row.session_id,
    user_id: row.user_id,
    started_at: row.started_at.toISOString(),
    last_accessed_at: row.last_accessed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    attributes: row.attributes,
    authentication_factors: [...row.authentication_factors],
    custom_claims: row.custom_claims,
    roles,
  };
}

export type AuthenticatedReply = Omit<Authenticated, keyof ReplyBase>;

/** The reply of every successful authenticate call. */
export async function authenticated(
  services: Services,
  db: Db,
  row: SessionRow,
  token: string,
): Promise<AuthenticatedReply> {
  const user = await readUserWithRoles(services.project, db, row.user_id);
  const session = sessionFrom(row, user);
  return {
    user_id: row.user_id,
    user,
    session,
    session_token: token,
    session_jwt: await signSession({ ...services, db }, session, row.generation),
  };
}
