import { sameJson } from '../../../src/domain/json.ts';
import type { AuthenticationFactor, Session } from '../../../src/domain/session.ts';
import type { User } from '../../../src/domain/user.ts';
import { isImpersonated } from '../access/impersonation.ts';
import type { Db } from '../db/database.ts';
import type { SessionsTable } from './tables.ts';
import { Refusal } from '../http/refusal.ts';
import { scopesFor } from '../idp/clients.ts';
import { clientOfFamily } from '../idp/grants.ts';
import { MINUTE_MS } from '../platform.ts';
import { newId, sessionToken, tokenHash } from '../security/secrets.ts';
import { sessionClaimIn } from './jwt.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from '../users/lock.ts';

export interface SessionRow extends Omit<SessionsTable, 'attributes' | 'authentication_factors' | 'generation'> {
  readonly generation: number;
  readonly attributes: Session['attributes'];
  readonly authentication_factors: readonly AuthenticationFactor[];
}

const MIN_MINUTES = 5;
const MAX_MINUTES = 527_040;

/** Refuses a session duration that is not a whole number of minutes within a year. */
export function checkDuration(minutes: number): void {
  if (!Number.isInteger(minutes) || minutes < MIN_MINUTES || minutes > MAX_MINUTES) {
    throw new Refusal('invalid_session_duration');
  }
}

/** The live session that a secret, opaque or JWT, stands for. */
export async function findSession(services: Services, db: Db, secret: string): Promise<SessionRow | undefined> {
  const row = await sessionOf(services, db, secret);
  if (row === undefined || row.family_id === null) return row;
  // What the project file lists no more for the app is lost at once, as with its tokens.
  const client_id = await clientOfFamily(db, row.family_id);
  const client = services.project.clients.find((each) => each.client_id === client_id);
  return client !== undefined && scopesFor(services.project, client).includes('full_access') ? row : undefined;
}

async function sessionOf(services: Services, db: Db, secret: string): Promise<SessionRow | undefined> {
  const live = db
    .selectFrom('sessions')
    .selectAll('sessions')
    .where('sessions.expires_at', '>', new Date(services.clock.now()));
  if (!looksLikeJwt(secret)) {
    return live
      .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.session_id')
      .where('session_tokens.token_hash', '=', tokenHash(secret))
      .whereRef('session_tokens.generation', '=', 'sessions.generation')
      .executeTakeFirst();
  }
  const claim = await sessionClaimIn({ ...services, db }, secret);
  if (claim === null) return undefined;
  return live
    .where('sessions.session_id', '=', claim.session_id)
    .where('sessions.generation', '=', claim.generation)
    .executeTakeFirst();
}

export function looksLikeJwt(secret: string): boolean {
  return secret.split('.').length === 3;
}

export interface NewFactor {
  readonly type: string;
  readonly delivery_method: string;
  readonly [detail: string]: unknown;
}

export interface Login {
  readonly user: LockedUser;
  readonly minutes: number;
  readonly factor: NewFactor;
  readonly attributes: Session['attributes'];
  /** The secret that came with the request, if any. */
  readonly presented: string | null;
  /** The tokens of the app that the session is made from, if it is. */
  readonly family_id?: string | undefined;
}

/** Sessions in which somebody else acts for the user: a login of the user's own starts another one. */
export function isDelegated(row: Pick<SessionRow, 'authentication_factors' | 'family_id'>): boolean {
  return isImpersonated(row) || row.family_id !== null;
}

/** What tells who acts for a user that this is the user's own to do. */
export function delegateRefusal(row: Pick<SessionRow, 'authentication_factors'>): Refusal {
  const who = isImpersonated(row) ? 'while impersonating a user' : 'in a session that a connected app made';
  return new Refusal('unauthorized_action', `This is not allowed ${who}.`);
}

/**
 * Starts a session, or adds the factor to the live one that the same user presented; one that an app made of its tokens
 * takes only what that app brings, and one of an impersonator nothing. Token and JWT are new either way:
 * those from before the login are worth nothing after it.
 */
export async function logIn(services: Services, tx: Db, login: Login): Promise<{ row: SessionRow; token: string }> {
  const { presented, user, family_id } = login;
  const found = presented === null ? undefined : await findSession(services, tx, presented);
  const joins = found?.user_id === user.user_id && !isImpersonated(found) && found.family_id === (family_id ?? null);
  const row = joins ? await addFactor(services, tx, found, login) : undefined;
  const session = row ?? (await start(services, tx, login));
  await tx.deleteFrom('session_tokens').where('session_id', '=', session.session_id).execute();
  return { row: session, token: await tokenOf(services, tx, session) };
}

async function start(services: Services, tx: Db, login: Login): Promise<SessionRow> {
  const now = services.clock.now();
  return tx
    .insertInto('sessions')
    .values({
      session_id: newId(services.random, 'session'),
      user_id: login.user.user_id,
      started_at: new Date(now),
      last_accessed_at: new Date(now),
      expires_at: new Date(now + login.minutes * MINUTE_MS),
      attributes: JSON.stringify(login.attributes),
      authentication_factors: JSON.stringify([stamped(login.factor, now)]),
      family_id: login.family_id ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Undefined when the session ended meanwhile. */
async function addFactor(services: Services, tx: Db, found: SessionRow, login: Login): Promise<SessionRow | undefined> {
  const locked = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('session_id', '=', found.session_id)
    .forUpdate()
    .executeTakeFirst();
  if (locked === undefined) return undefined;
  const now = services.clock.now();
  const added = stamped(login.factor, now);
  const before = locked.authentication_factors.find((factor) => sameFactor(factor, added));
  const others = locked.authentication_factors.filter((factor) => factor !== before);
  const factors = [...others, before === undefined ? added : { ...added, created_at: before['created_at'] }];
  return tx
    .updateTable('sessions')
    .set({
      last_accessed_at: new Date(now),
      expires_at: new Date(Math.max(locked.expires_at.getTime(), now + login.minutes * MINUTE_MS)),
      authentication_factors: JSON.stringify(factors),
      generation: locked.generation + 1,
    })
    .where('session_id', '=', locked.session_id)
    .returningAll()
    .executeTakeFirst();
}

function stamped(factor: NewFactor, now: number): AuthenticationFactor {
  const at = new Date(now).toISOString();
  return { ...factor, last_authenticated_at: at, created_at: at, updated_at: at };
}

function sameFactor(a: AuthenticationFactor, b: AuthenticationFactor): boolean {
  return sameJson(a, b, ['last_authenticated_at', 'created_at', 'updated_at']);
}

/**
 * The session's opaque token in its present generation. It is derived, and only its hash is kept: whoever shows the JWT
 * gets the token that the other holder has, and no row is added. The session's row must be held.
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

/** Marks the session as used, and lengthens it when minutes are given: never shortens. Undefined when it has ended. */
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

/** Ends the session: both forms of its secret are refused from now on. */
export async function revoke(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('session_id', '=', sessionId).execute();
}

/** The session as the wire shows one. Its roles are the user's: an API decides by what it reads in the JWT. */
export function sessionFrom(row: SessionRow, { roles }: Pick<User, 'roles'>): Session {
  return {
    session_id: row.session_id,
    user_id: row.user_id,
    started_at: row.started_at.toISOString(),
    last_accessed_at: row.last_accessed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    attributes: row.attributes,
    authentication_factors: [...row.authentication_factors],
    custom_claims: {},
    roles,
  };
}
