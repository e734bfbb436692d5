import { requireOwn } from '../../../src/domain/rules/delegates.ts';
import { scopesFor } from '../../../src/domain/rules/connected-apps.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { MOST_VALUES, onlyUser } from '../../../src/domain/rules/session-cookies.ts';
import type { Trail } from '../audit/trail.ts';
import type { Db } from '../db/database.ts';
import { findApp } from '../idp/apps.ts';
import { clientOfFamily } from '../idp/grants.ts';
import { tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { sessionClaimIn, type ExpiredJwt } from './jwt.ts';
import { requireSecondFactor } from './second-factor.ts';
import type { SessionRow } from './tables.ts';

/** The caller of a request. */
export interface Caller {
  readonly session: PresentedSession;
  readonly address: string;
  readonly userAgent: string;
  /** The registered origin of the calling page; null for a caller that is not a page. */
  readonly page: string | null;
  /** The origin at which the caller reached this server. */
  readonly origin: string;
  /** True for the app's own server when it does not tell where its user is: its address is that of all users. */
  readonly forMany?: boolean;
  /** What the audit log says of this request. */
  readonly trail: Trail;
}

declare const resolved: unique symbol;

/** A session that was live when this request was resolved. Only `PresentedSession` makes one. */
export type CurrentSession = SessionRow & { readonly [resolved]: true };

/** The secrets in a request's cookies; several if a sibling host added cookies of the same name. */
export interface CookieSecrets {
  readonly tokens: readonly string[];
  readonly jwts: readonly string[];
}

interface Found {
  readonly user_id: string;
  readonly session: CurrentSession;
  readonly secret: string;
  /** Further live sessions of the same user in cookies of the same name. */
  readonly others: readonly string[];
}

/**
 * The session that came with a request. It is resolved once, however many parts of the request ask.
 *
 * Tokens in cookies come first, then JWTs in cookies, then the secret in the Authorization header: a script of the page can
 * write only the last. The first kind with a live session decides. If it has sessions of different users, there is none.
 */
export class PresentedSession {
  readonly #services: Services;
  readonly #kinds: readonly (readonly string[])[];
  readonly #jwts: readonly string[];
  #found: Promise<Found | undefined> | null = null;
  readonly #expiredJwt: ExpiredJwt;
  #outcome: 'unasked' | 'live' | 'none' | 'ambiguous' | 'ended' = 'unasked';

  /** @param secret the token or JWT in the Authorization header or the body, or null */
  constructor(
    services: Services,
    secret: string | null,
    { tokens, jwts }: CookieSecrets = { tokens: [], jwts: [] },
    expiredJwt: ExpiredJwt = 'refused',
  ) {
    this.#services = services;
    this.#kinds = [tokens, jwts, secret === null ? [] : [secret]];
    this.#jwts = jwts;
    this.#expiredJwt = expiredJwt;
  }

  /** Whether the request has a token or JWT at all, good or not. */
  get isPresented(): boolean {
    return this.#kinds.some(({ length }) => length > 0);
  }

  /** The live session, if any. Not for use within a transaction: the embedded database has one connection. */
  async find(): Promise<CurrentSession | undefined> {
    return (await this.#find())?.session;
  }

  /** The live session; refuses when there is none. Not for use within a transaction. */
  async require(): Promise<CurrentSession> {
    return (await this.requireWithSecret()).session;
  }

  /** Like `require`, with the secret by which the session was found, and the ids of further ones of the user. */
  async requireWithSecret(): Promise<Omit<Found, 'user_id'>> {
    const found = await this.#find();
    if (found !== undefined) return found;
    throw new Refusal(this.isPresented ? 'unauthorized_credentials' : 'user_unauthenticated');
  }

  /** The live session as the transaction sees it. Ask only once the user is locked: a login of the user may end it. */
  async findIn(tx: Db): Promise<CurrentSession | undefined> {
    if (this.#found === null) return (await this.#resolve(tx))?.session;
    const found = await this.#found;
    return found === undefined ? undefined : reread(this.#services, tx, found.session);
  }

  /** Records that this request ended the session. */
  end(): void {
    this.#outcome = 'ended';
  }

  /**
   * True when the cookies of the request are of no use any more. False when a later login replaced their token: its reply may
   * have reached the browser already, and newer cookies with it.
   */
  async isOver(): Promise<boolean> {
    if (this.#outcome !== 'none') return this.#outcome === 'ended' || this.#outcome === 'ambiguous';
    for (const jwt of this.#jwts) {
      // oxlint-disable-next-line no-await-in-loop -- at most three, and almost always one
      const claim = await sessionClaimIn(this.#services, jwt, 'accepted');
      // oxlint-disable-next-line no-await-in-loop
      if (claim !== null && (await isLive(this.#services, this.#services.db, claim.session_id))) return false;
    }
    return true;
  }

  #find(): Promise<Found | undefined> {
    return (this.#found ??= this.#resolve(this.#services.db));
  }

  async #resolve(db: Db): Promise<Found | undefined> {
    for (const secrets of this.#kinds) {
      // oxlint-disable-next-line no-await-in-loop -- a later kind counts only without an earlier one
      const found = secrets.length > MOST_VALUES ? 'ambiguous' : onlyUser(await this.#liveOf(db, secrets));
      if (found === undefined) continue;
      this.#outcome = found === 'ambiguous' ? 'ambiguous' : 'live';
      return found === 'ambiguous' ? undefined : found;
    }
    this.#outcome = 'none';
    return undefined;
  }

  async #liveOf(db: Db, secrets: readonly string[]): Promise<readonly Found[]> {
    const live: { secret: string; session: CurrentSession }[] = [];
    for (const secret of secrets) {
      // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
      const session = await findSession(this.#services, db, secret, this.#expiredJwt);
      if (session !== undefined) live.push({ secret, session });
    }
    const ids = live.map(({ session }) => session.session_id);
    return live.map(({ secret, session }) => ({
      user_id: session.user_id,
      session,
      secret,
      others: ids.filter((id) => id !== session.session_id),
    }));
  }
}

/** The live session of a secret (opaque token or JWT). */
export async function findSession(
  services: Services,
  db: Db,
  secret: string,
  expiredJwt: ExpiredJwt = 'refused',
): Promise<CurrentSession | undefined> {
  if (looksLikeJwt(secret)) {
    const claim = await sessionClaimIn({ ...services, db }, secret, expiredJwt);
    return claim === null ? undefined : reread(services, db, claim);
  }
  const row = await liveSessions(services, db)
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.session_id')
    .where('session_tokens.token_hash', '=', tokenHash(secret))
    .whereRef('session_tokens.generation', '=', 'sessions.generation')
    .executeTakeFirst();
  return ifAllowed(services, db, row);
}

export function looksLikeJwt(secret: string): boolean {
  return secret.split('.').length === 3;
}

async function reread(
  services: Services,
  db: Db,
  { session_id, generation }: Pick<SessionRow, 'session_id' | 'generation'>,
): Promise<CurrentSession | undefined> {
  const row = await liveSessions(services, db)
    .where('sessions.session_id', '=', session_id)
    .where('sessions.generation', '=', generation)
    .executeTakeFirst();
  return ifAllowed(services, db, row);
}

export async function isLive(services: Services, db: Db, sessionId: string): Promise<boolean> {
  const row = await liveSessions(services, db).where('session_id', '=', sessionId).executeTakeFirst();
  return row !== undefined;
}

export function liveSessions({ clock }: Services, db: Db) {
  return db.selectFrom('sessions').selectAll('sessions').where('sessions.expires_at', '>', new Date(clock.now()));
}

/** A session of a connected app ends as soon as the app no longer exists or may no longer have `full_access`. */
async function ifAllowed(
  { project }: Services,
  db: Db,
  row: SessionRow | undefined,
): Promise<CurrentSession | undefined> {
  if (row !== undefined && row.family_id !== null) {
    const client_id = await clientOfFamily(db, row.family_id);
    const client = client_id === undefined ? undefined : await findApp({ project, db }, client_id);
    if (client === undefined || !scopesFor(project, client).includes('full_access')) return undefined;
  }
  return row as CurrentSession | undefined;
}

interface WithCaller {
  readonly caller: Caller;
}

type Answering<C, R> = (services: Services, call: C) => Promise<R>;
type Signed<C> = C & { readonly session: CurrentSession };

/** Wraps a route for signed-in callers, including impersonators and connected apps. */
export function withSession<C extends WithCaller, R>(answer: Answering<Signed<C>, R>): Answering<C, R> {
  return async (services, call) => answer(services, { ...call, session: await call.caller.session.require() });
}

/**
 * Wraps a route for the user only. Impersonators and connected apps are refused because the effect outlives their session:
 * factors, and permissions to act for the user.
 */
export function withOwnSession<C extends WithCaller, R>(answer: Answering<Signed<C>, R>): Answering<C, R> {
  return withSession(async (services, call: Signed<C>) => {
    requireOwn(call.session);
    return answer(services, call);
  });
}

/** Like `withOwnSession`, for routes that show or change factors: the session must prove the second factor, if there is one. */
export function withProvenSession<C extends WithCaller, R>(answer: Answering<Signed<C>, R>): Answering<C, R> {
  return withOwnSession(async (services, call: Signed<C>) => {
    await requireSecondFactor(services.db, call.session.user_id, call.session);
    return answer(services, call);
  });
}

export interface HeldSession {
  readonly session: CurrentSession;
  readonly user: LockedUser;
}

/**
 * Locks the session's user and reads the session again, in the transaction that changes the account: a session that
 * has ended meanwhile cannot change anything.
 */
export async function holdSession(services: Services, tx: Db, current: CurrentSession): Promise<HeldSession> {
  const user = await lockUser(tx, current.user_id);
  const session = user === undefined ? undefined : await reread(services, tx, current);
  if (user === undefined || session === undefined) throw new Refusal('unauthorized_credentials');
  return { session, user };
}

/** Like `holdSession`, for changes of factors: requires the user's own session, with the second factor if there is one. */
export async function holdProvenSession(services: Services, tx: Db, current: CurrentSession): Promise<HeldSession> {
  const held = await holdSession(services, tx, current);
  // An impersonator or app that finished a flow of the user would get a session without its mark.
  requireOwn(held.session);
  await requireSecondFactor(tx, held.user.user_id, held.session);
  return held;
}
