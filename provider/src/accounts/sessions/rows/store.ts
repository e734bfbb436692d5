import type { AuthenticationReply, ReplyBase } from '#application/api/index.ts';
import { mergeClaims } from './custom-claims.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import { SESSIONS_PER_PAGE, type SessionPlace } from '#domain/rules/listed-session.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { Services, SessionServices } from '../../services.ts';
import { NO_CLAIMS } from '#provider/project/settings/session-claims.ts';
import { claimsFrom } from '#provider/project/settings/token-templates.ts';
import { holdUser, type LockedUser } from '../../users/lock.ts';
import { withRoles, type WholeUser } from '../../users/read-user.ts';
import { endSession } from './ending.ts';
import { isBound, liveSessions, type SignedIn } from './find.ts';
import { signSession } from './jwt.ts';
import { lifetimeOf, storedEnd } from './lifetime.ts';
import type { SessionRow } from '../tables.ts';

/**
 * Stores the hash of a session's token. The token is derived from its generation, so a caller who presents the JWT gets the same token and
 * no row is added.
 */
export function insertToken(db: Db, { session_id, generation }: SessionRow, token: string) {
  return db
    .insertInto('session_tokens')
    .values({ token_hash: tokenHash(token), session_id, generation })
    .onConflict((conflict) => conflict.doNothing());
}

/** Like `insertToken`, if the session still exists. */
async function storeToken(db: Db, { session_id, generation }: SessionRow, token: string): Promise<void> {
  await db
    .insertInto('session_tokens')
    .columns(['token_hash', 'session_id', 'generation'])
    .expression((query) =>
      query
        .selectFrom('sessions')
        .select((row) => [row.val(tokenHash(token)).as('token_hash'), 'session_id', 'generation'])
        .where('session_id', '=', session_id)
        .where('generation', '=', generation)
        .forUpdate(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The precision of a session's last use. A finer one would need a write for every check. */
const USE_RECORDED_EVERY_MS = MINUTE_MS;

/**
 * Marks the session as used. If minutes are given, extends it but never shortens it. Undefined if it has ended. A change of less than a
 * minute is not written; the reply still has the time of use, because clients subtract it from the end. A use that does not extend the
 * session is written later, in a batch. If claims will be added, the use is always written: that locks the row, and detects a login that
 * has replaced the token.
 */
async function touch(
  services: Pick<Services, 'clock' | 'project' | 'uses'>,
  db: Db,
  session: SessionRow,
  { minutes = null, claims }: Renewal,
): Promise<SessionRow | undefined> {
  const now = services.clock.now();
  const { last_accessed_at, expires_at } = session;
  const lifetime = await lifetimeOf(services, db, session, minutes);
  const isDue = now - last_accessed_at.getTime() >= USE_RECORDED_EVERY_MS;
  const moves = Math.abs(lifetime.end.getTime() - expires_at.getTime()) >= USE_RECORDED_EVERY_MS;
  if (claims === undefined && !moves && (!isDue || services.uses !== undefined)) {
    const used = { ...session, last_accessed_at: new Date(now) };
    if (isDue) services.uses?.used(used, used.last_accessed_at);
    return used;
  }
  return db
    .updateTable('sessions')
    .set({ last_accessed_at: new Date(now), expires_at: storedEnd(lifetime) })
    .where('session_id', '=', session.session_id)
    .where('generation', '=', session.generation)
    .where('expires_at', '>', new Date(now))
    .returningAll()
    .executeTakeFirst();
}

export interface Renewal {
  /** Null or absent to leave the end as it is. */
  readonly minutes?: number | null | undefined;
  /** Added to the claims of the session's JWTs. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** Answers a check of the session, which counts as its use. Undefined if the session has ended meanwhile. */
export async function renew(
  services: SessionServices,
  { session, user, token, isTokenStored }: SignedIn,
  { minutes, claims }: Renewal,
): Promise<AuthenticatedReply | undefined> {
  const change = async (db: Db): Promise<SessionRow | undefined> => {
    const touched = await touch(services, db, session, {
      minutes: isImpersonated(session) || session.of_jwt ? undefined : minutes,
      claims,
    });
    return touched === undefined || claims === undefined ? touched : addClaims(db, touched, claims);
  };
  const inOne = async (tx: Db) => ((await holdUser(tx, session.user_id)) ? change(tx) : undefined);
  const row = await (claims === undefined ? change(services.db) : transaction(services.db, inOne));
  if (row === undefined) return undefined;
  if (!isTokenStored && !session.of_jwt) await storeToken(services.db, row, token);
  const reply = await authenticated(services, services.db, row, {
    token,
    user,
    provenUntil: session.proven_until,
  });
  // A JWT is valid for five minutes, so it must not yield the session's token or another JWT.
  return session.of_jwt ? { ...reply, session_token: '', session_jwt: '' } : reply;
}

/**
 * Merges these custom claims into the session's, in the caller's transaction. The row is locked first, so that two simultaneous calls do
 * not lose each other's claims.
 */
export async function addClaims(
  tx: Db,
  { session_id }: Pick<SessionRow, 'session_id'>,
  claims: Readonly<Record<string, unknown>>,
): Promise<SessionRow> {
  const { custom_claims } = await tx
    .selectFrom('sessions')
    .select('custom_claims')
    .where('session_id', '=', session_id)
    .forUpdate()
    .executeTakeFirstOrThrow(sessionRefusal);
  return tx
    .updateTable('sessions')
    .set({ custom_claims: JSON.stringify(mergeClaims(custom_claims, claims)) })
    .where('session_id', '=', session_id)
    .returningAll()
    .executeTakeFirstOrThrow(sessionRefusal);
}

const sessionRefusal = (): Refusal => new Refusal('unauthorized_credentials');

/** A page of the user's live sessions, most recently used first. Sessions used at the same moment are sorted by id. */
export async function sessionsOf(
  services: Pick<Services, 'clock' | 'project' | 'uses'>,
  db: Db,
  { user_id, after }: { readonly user_id: string; readonly after?: SessionPlace | undefined },
): Promise<SessionRow[]> {
  await services.uses?.writeOf(user_id);
  let rows = liveSessions(services, db).where('sessions.user_id', '=', user_id);
  if (after !== undefined) {
    const at = new Date(after.last_accessed_at);
    rows = rows.where((where) =>
      where.or([
        where('last_accessed_at', '<', at),
        where.and([where('last_accessed_at', '=', at), where('session_id', '>', after.session_id)]),
      ]),
    );
  }
  return rows
    .orderBy('last_accessed_at', 'desc')
    .orderBy('session_id')
    .limit(SESSIONS_PER_PAGE + 1)
    .execute();
}

/** Ends one of the user's live sessions. Undefined if the user has no such session. */
export async function revokeOf(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  { user_id }: LockedUser,
  sessionId: string,
): Promise<SessionRow | undefined> {
  const live = await liveSessions(services, tx)
    .where('sessions.session_id', '=', sessionId)
    .where('sessions.user_id', '=', user_id)
    .executeTakeFirst();
  return live !== undefined && (await endSession(tx, sessionId)) ? live : undefined;
}

/**
 * The session in the wire's format. It contains the user's roles, because APIs make decisions by the JWT, and in `custom_claims` the claims
 * of the project's template. Those come from the user as they are now, so they replace claims of the same names that were set before.
 */
export function sessionFrom({ project }: Pick<Services, 'project'>, row: SessionRow, user: User): Session {
  const { session_claims: template } = project;
  const claims = template === NO_CLAIMS ? {} : claimsFrom(template, { user });
  return {
    session_id: row.session_id,
    user_id: row.user_id,
    started_at: row.started_at.toISOString(),
    last_accessed_at: row.last_accessed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    attributes: row.attributes,
    authentication_factors: [...row.authentication_factors],
    custom_claims: { ...row.custom_claims, ...claims },
    roles: user.roles,
    ...(isBound(row) && { device_bound: true }),
  };
}

interface LoginParts {
  readonly token: string;
  readonly user: WholeUser | undefined;
  /** When the proof of a bound session expires, in milliseconds since 1970. */
  readonly provenUntil: number | undefined;
}

export type AuthenticatedReply = Omit<AuthenticationReply, keyof ReplyBase>;

/**
 * The reply of every successful authenticate call. Refuses if the user was removed meanwhile. A bound session whose browser has not proved
 * it gets no JWT.
 */
export async function authenticated(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'project' | 'warn'>,
  db: Db,
  row: SessionRow,
  { token, user: whole, provenUntil }: LoginParts,
): Promise<AuthenticatedReply> {
  if (whole === undefined) throw sessionRefusal();
  const user = withRoles(services.project, whole);
  const session = sessionFrom(services, row, user);
  const { generation, proof_jkt: jkt, custom_claims: ownClaims } = row;
  const isProven = !isBound(row) || provenUntil !== undefined;
  return {
    user_id: row.user_id,
    user,
    session,
    session_token: token,
    session_jwt: isProven
      ? await signSession({ ...services, db }, session, { token, generation, provenUntil, jkt, ownClaims })
      : '',
  };
}
