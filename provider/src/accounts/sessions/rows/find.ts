import type { Delegable } from '#domain/rules/delegates.ts';
import { earliestStart } from '#domain/rules/lifetimes.ts';
import { builtOnce } from '#provider/base/db/statements/built.ts';
import type { Db } from '#provider/base/db/database.ts';
import { endOfFamily } from './lifetime.ts';
import { sessionToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services, SessionServices } from '../../services.ts';
import { selectUsers, wholeFrom, type WholeUser } from '../../users/read-user.ts';
import { sessionClaimIn, type ExpiredJwt, type SessionClaim } from './jwt.ts';
import type { SessionRow } from '../tables.ts';

declare const resolved: unique symbol;

/** A session that was live when this request was resolved. Only the functions of this file make one. */
export type CurrentSession = SessionRow & Pick<Delegable, 'of_jwt'> & ProofEnd & { readonly [resolved]: true };

interface ProofEnd {
  /**
   * When the last proof of a bound session's browser expires, in milliseconds since 1970; infinite if each request is proved. No JWT of the
   * session lasts longer.
   */
  readonly proven_until?: number;
}

/** The live session of a secret (opaque token or JWT). */
export async function findSession(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'project'>,
  db: Db,
  secret: string,
  expiredJwt: ExpiredJwt = 'refused',
): Promise<CurrentSession | undefined> {
  if (looksLikeJwt(secret)) {
    const claim = await sessionClaimIn({ ...services, db }, secret, expiredJwt);
    if (claim === null) return undefined;
    const found = await reread(services, db, { ...claim, of_jwt: expiredJwt === 'refused' });
    return found && ofUnexpiredJwt(services, found, claim);
  }
  const row = await liveSessions(services, db)
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.session_id')
    .where('session_tokens.token_hash', '=', tokenHash(secret))
    .whereRef('session_tokens.generation', '=', 'sessions.generation')
    .executeTakeFirst();
  return ifAllowed(services, db, row);
}

/** Whether the session's token alone is refused, because a key of its browser must prove the session as well. */
export const isBound = ({ bound_key, proof_jkt }: Pick<SessionRow, 'bound_key' | 'proof_jkt'>): boolean =>
  bound_key !== null || proof_jkt !== null;

/** A JWT of a bound session proves that it is in its browser, until the second in which the JWT expires. */
function ofUnexpiredJwt(
  { clock }: Pick<Services, 'clock'>,
  session: CurrentSession,
  { ends_at }: SessionClaim,
): CurrentSession | undefined {
  if (!isBound(session)) return session;
  return ends_at > clock.now() ? { ...session, proven_until: ends_at } : undefined;
}

export function looksLikeJwt(secret: string): boolean {
  return secret.split('.').length === 3;
}

/** Reads the session again. Undefined if it is no longer live or its token was replaced. */
export async function reread(
  services: Pick<Services, 'clock' | 'project'>,
  db: Db,
  claim: Omit<SessionClaim, 'ends_at'> & Pick<Delegable, 'of_jwt'> & ProofEnd,
): Promise<CurrentSession | undefined> {
  const row = await liveSessions(services, db)
    .where('sessions.session_id', '=', claim.session_id)
    .where('sessions.generation', '=', claim.generation)
    .executeTakeFirst();
  const session = await ifAllowed(services, db, row);
  const { of_jwt, proven_until } = claim;
  return session && { ...session, ...(of_jwt && { of_jwt }), ...(proven_until !== undefined && { proven_until }) };
}

/** The session with this id, with any token. */
export async function findLive(
  services: Pick<Services, 'clock' | 'project'>,
  db: Db,
  sessionId: string,
): Promise<CurrentSession | undefined> {
  const row = await liveSessions(services, db).where('session_id', '=', sessionId).executeTakeFirst();
  return ifAllowed(services, db, row);
}

export function liveSessions({ clock, project }: Pick<Services, 'clock' | 'project'>, db: Db) {
  const now = clock.now();
  return db
    .selectFrom('sessions')
    .selectAll('sessions')
    .where('sessions.expires_at', '>', new Date(now))
    .where('sessions.started_at', '>', new Date(earliestStart(project, now)));
}

/** A live session, its user, and its token. */
export interface SignedIn {
  readonly session: CurrentSession;
  readonly user: WholeUser;
  readonly token: string;
  /** False for the session of a JWT whose token was never issued. It must be stored before it is shown. */
  readonly isTokenStored: boolean;
}

/** Like `findSession`, but with the user, in one statement: session checks are the most frequent request. */
export async function findSignedIn(
  services: SessionServices,
  secret: string,
  expiredJwt: ExpiredJwt = 'refused',
): Promise<SignedIn | undefined> {
  const { db, keys, clock, project } = services;
  const now = new Date(clock.now());
  const start = new Date(earliestStart(project, clock.now()));
  if (!looksLikeJwt(secret)) {
    const [row] = await signedInByToken(db, now, start, tokenHash(secret));
    return row && signedInFrom(services, row, { token: secret, isTokenStored: true });
  }
  const claim = await sessionClaimIn(services, secret, expiredJwt);
  if (claim === null) return undefined;
  const token = sessionToken(keys.codeKey, claim.session_id, claim.generation);
  const [row] = await signedInByJwt(db, now, start, claim.session_id, claim.generation, tokenHash(token));
  const found = row && (await signedInFrom(services, row, { token, isTokenStored: Boolean(row.is_token_stored) }));
  const session = found && ofUnexpiredJwt(services, found.session, claim);
  if (found === undefined || session === undefined) return undefined;
  return { ...found, session: expiredJwt === 'accepted' ? session : { ...session, of_jwt: true } };
}

/** The columns of a session, except `user_id`, which the row of its user also has. */
const SESSION_COLUMNS = [
  'session_id',
  'started_at',
  'last_accessed_at',
  'expires_at',
  'attributes',
  'authentication_factors',
  'generation',
  'family_id',
  'custom_claims',
  'bound_key',
  'trial_key',
  'proof_jkt',
  'trusted_device_id',
] as const satisfies readonly (keyof SessionRow)[];

type SessionFields = Pick<SessionRow, (typeof SESSION_COLUMNS)[number]>;

/** The users of the sessions that are live at this time, with the session and the app from whose token it was made. */
function signedInUsers(db: Db, now: Date, earliest: Date) {
  return selectUsers(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.user_id')
    .where('sessions.expires_at', '>', now)
    .where('sessions.started_at', '>', earliest)
    .select(SESSION_COLUMNS.map((column) => `sessions.${column}` as const));
}

const signedInByToken = builtOnce(3, (db, now: Date, earliest: Date, hash: string) =>
  signedInUsers(db, now, earliest)
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.session_id')
    .where('session_tokens.token_hash', '=', hash)
    .whereRef('session_tokens.generation', '=', 'sessions.generation'),
);

const signedInByJwt = builtOnce(
  5,
  (db, now: Date, earliest: Date, sessionId: string, generation: number, hash: string) =>
    signedInUsers(db, now, earliest)
      .where('sessions.session_id', '=', sessionId)
      .where('sessions.generation', '=', generation)
      .select((query) =>
        query
          .exists(query.selectFrom('session_tokens').where('token_hash', '=', hash).select('session_id'))
          .as('is_token_stored'),
      ),
);

type SignedInRow = Awaited<ReturnType<ReturnType<typeof signedInUsers>['executeTakeFirstOrThrow']>>;

const OF_SESSION: ReadonlySet<string> = new Set(SESSION_COLUMNS);

/** The columns of the session and of its user. */
function parted(row: SignedInRow): readonly [SessionFields, Parameters<typeof wholeFrom>[0]] {
  const session: Record<string, unknown> = {};
  const user: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) (OF_SESSION.has(name) ? session : user)[name] = value;
  return [session, user] as never;
}

async function signedInFrom(
  services: Pick<Services, 'db' | 'clock' | 'project'>,
  row: SignedInRow & { readonly is_token_stored?: unknown },
  token: Pick<SignedIn, 'token' | 'isTokenStored'>,
): Promise<SignedIn | undefined> {
  const { is_token_stored: _, ...columns } = row;
  const [of, user] = parted(columns);
  const session = await ifAllowed(services, services.db, { ...of, user_id: user.user_id });
  return session && { session, user: wholeFrom(user), ...token };
}

/** A session of a connected app ends with the tokens that the app made it from (`endOfFamily`). */
async function ifAllowed(
  { project, clock }: Pick<Services, 'clock' | 'project'>,
  db: Db,
  row: SessionRow | undefined,
): Promise<CurrentSession | undefined> {
  if (row !== undefined && row.family_id !== null) {
    const end = await endOfFamily({ db, project }, row.family_id);
    if (end === null || end <= clock.now()) return undefined;
  }
  return row as CurrentSession | undefined;
}
