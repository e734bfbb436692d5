import { requireOwn } from '../../../src/domain/rules/delegates.ts';
import { scopesFor } from '../../../src/domain/rules/connected-apps.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
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
}

declare const resolved: unique symbol;

/** A session that was live when this request was resolved. Only `PresentedSession` makes one. */
export type CurrentSession = SessionRow & { readonly [resolved]: true };

/** The session token or JWT that came with a request. It is resolved once, however many parts of the request ask. */
export class PresentedSession {
  readonly #services: Services;
  #found: Promise<CurrentSession | undefined> | null = null;

  constructor(
    services: Services,
    /** The token or JWT itself, or null. */
    readonly secret: string | null,
    private readonly expiredJwt: ExpiredJwt = 'refused',
  ) {
    this.#services = services;
  }

  /** The live session, if any. Not for use within a transaction: the embedded database has one connection. */
  find(): Promise<CurrentSession | undefined> {
    this.#found ??= this.#resolve(this.#services.db);
    return this.#found;
  }

  /** The live session; refuses when there is none. Not for use within a transaction. */
  async require(): Promise<CurrentSession> {
    if (this.secret === null) throw new Refusal('user_unauthenticated');
    const session = await this.find();
    if (session === undefined) throw new Refusal('unauthorized_credentials');
    return session;
  }

  /** The live session as the transaction sees it. Ask only once the user is locked: a login of the user may end it. */
  async findIn(tx: Db): Promise<CurrentSession | undefined> {
    if (this.#found === null) return this.#resolve(tx);
    const session = await this.#found;
    return session === undefined ? undefined : reread(this.#services, tx, session);
  }

  async #resolve(db: Db): Promise<CurrentSession | undefined> {
    return this.secret === null ? undefined : findSession(this.#services, db, this.secret, this.expiredJwt);
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

export function liveSessions({ clock }: Services, db: Db) {
  return db.selectFrom('sessions').selectAll('sessions').where('sessions.expires_at', '>', new Date(clock.now()));
}

/** A session of a connected app ends as soon as the project file no longer lists the app with `full_access`. */
async function ifAllowed(
  { project }: Services,
  db: Db,
  row: SessionRow | undefined,
): Promise<CurrentSession | undefined> {
  if (row !== undefined && row.family_id !== null) {
    const client_id = await clientOfFamily(db, row.family_id);
    const client = project.clients.find((each) => each.client_id === client_id);
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
