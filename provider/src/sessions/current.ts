import { requireOwn } from '../../../src/domain/rules/delegates.ts';
import { scopesFor } from '../../../src/domain/rules/connected-apps.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Db } from '../db/database.ts';
import { clientOfFamily } from '../idp/grants.ts';
import { tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { sessionClaimIn } from './jwt.ts';
import { requireSecondFactor } from './second-factor.ts';
import type { SessionRow } from './tables.ts';

/** Who calls, as far as the request shows. */
export interface Caller {
  readonly session: PresentedSession;
  readonly address: string;
  readonly userAgent: string;
  /** The origin of the page that calls, a registered one; null for a caller that is no page. */
  readonly page: string | null;
  /** The origin at which the caller reached this server. */
  readonly origin: string;
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
    /** The token or JWT itself, or null when there was none. */
    readonly secret: string | null,
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
    return this.secret === null ? undefined : findSession(this.#services, db, this.secret);
  }
}

/** The live session that a secret, opaque or JWT, stands for. */
export async function findSession(services: Services, db: Db, secret: string): Promise<CurrentSession | undefined> {
  if (looksLikeJwt(secret)) {
    const claim = await sessionClaimIn({ ...services, db }, secret);
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

function liveSessions({ clock }: Services, db: Db) {
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

/** An answer for signed-in callers. Impersonators and connected apps are among them. */
export function withSession<C extends WithCaller, R>(answer: Answering<Signed<C>, R>): Answering<C, R> {
  return async (services, call) => answer(services, { ...call, session: await call.caller.session.require() });
}

/**
 * An answer for the user alone. Impersonators and connected apps are refused where the effect outlives their session:
 * factors, and what others may do in the user's name.
 */
export function withOwnSession<C extends WithCaller, R>(answer: Answering<Signed<C>, R>): Answering<C, R> {
  return withSession(async (services, call: Signed<C>) => {
    requireOwn(call.session);
    return answer(services, call);
  });
}

/** As `withOwnSession`, for what shows or changes factors: the session must prove the second factor, if there is one. */
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
 * ended meanwhile changes nothing.
 */
export async function holdSession(services: Services, tx: Db, current: CurrentSession): Promise<HeldSession> {
  const user = await lockUser(tx, current.user_id);
  const session = user === undefined ? undefined : await reread(services, tx, current);
  if (user === undefined || session === undefined) throw new Refusal('unauthorized_credentials');
  return { session, user };
}

/** As `holdSession`, for what changes factors: the user's own session, with the second factor where there is one. */
export async function holdProvenSession(services: Services, tx: Db, current: CurrentSession): Promise<HeldSession> {
  const held = await holdSession(services, tx, current);
  // An impersonator or app that finished what the user began would get a session without its mark.
  requireOwn(held.session);
  await requireSecondFactor(tx, held.user.user_id, held.session);
  return held;
}
