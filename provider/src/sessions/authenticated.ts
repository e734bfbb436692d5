import type { Authenticated, ReplyBase } from '../../../src/application/api/index.ts';
import { withRoles } from '../access/roles.ts';
import type { Db } from '../db/database.ts';
import type { Caller } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { signSession } from './jwt.ts';
import type { Services } from '../services.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';
import { rememberNetwork } from '../security/known-networks.ts';
import { requireSecondFactor } from './second-factor.ts';
import {
  delegateRefusal,
  findSession,
  isDelegated,
  logIn,
  sessionFrom,
  type NewFactor,
  type SessionRow,
} from './store.ts';
import { confirmEmail, lockEmail, readUser } from '../users/store.ts';

export type AuthenticatedReply = Omit<Authenticated, keyof ReplyBase>;

/** What every successful authenticate call answers. */
export async function authenticated(
  services: Services,
  db: Db,
  row: SessionRow,
  token: string,
): Promise<AuthenticatedReply> {
  const user = await withRoles(services.project, db, await readUser(db, row.user_id));
  const session = sessionFrom(row, user);
  return {
    user_id: row.user_id,
    user,
    session,
    session_token: token,
    session_jwt: await signSession({ ...services, db }, session, row.generation),
  };
}

export interface EmailLogin {
  readonly email_id: string;
  /** Spends what proves the login. False when it was spent meanwhile. */
  readonly spend: () => Promise<boolean>;
  readonly type: 'otp' | 'magic_link';
  readonly minutes: number;
  readonly caller: Caller;
}

export interface Proven {
  readonly user: LockedUser;
  readonly factor: NewFactor;
  readonly minutes: number;
  readonly caller: Caller;
  /** The tokens of the app that the session is made from, if it is. */
  readonly family_id?: string | undefined;
}

/** Logs in whom the factor stands for: in the session that they presented, or in a new one. */
export async function logInAs(services: Services, tx: Db, { caller, ...proven }: Proven): Promise<AuthenticatedReply> {
  const { row, token } = await logIn(services, tx, {
    ...proven,
    attributes: { ip_address: caller.address, user_agent: caller.userAgent },
    presented: caller.session,
  });
  const { user, factor } = proven;
  await rememberNetwork(services, tx, { user_id: user.user_id, factor, address: caller.address });
  return authenticated(services, tx, row, token);
}

/** Logs in whoever proved to read an address's mail. Undefined when the address, or the proof, is gone meanwhile. */
export async function logInByEmail(
  services: Services,
  tx: Db,
  { email_id, spend, type, minutes, caller }: EmailLogin,
): Promise<AuthenticatedReply | undefined> {
  const found = await lockEmail(tx, email_id);
  if (found === undefined || !(await spend())) return undefined;
  const { email, user } = await confirmEmail(tx, found, await ownSession(services, tx, caller, found.user));
  return logInAs(services, tx, { user, factor: emailFactor(type, email), minutes, caller });
}

/** The live session that the caller shows, if any. In a transaction, ask only once the user is locked. */
export async function presentedSession(services: Services, db: Db, caller: Caller): Promise<SessionRow | undefined> {
  return caller.session === null ? undefined : findSession(services, db, caller.session);
}

export function emailFactor(
  type: EmailLogin['type'],
  { email_id, email }: { readonly email_id: string; readonly email: string },
): NewFactor {
  return { type, delivery_method: 'email', email_factor: { email_id, email_address: email } };
}

/** The caller's live session, and the secret that stands for it; refuses when there is none. */
export async function requireSession(
  services: Services,
  caller: Caller,
): Promise<{ readonly row: SessionRow; readonly secret: string }> {
  if (caller.session === null) throw new Refusal('user_unauthenticated');
  const row = await findSession(services, services.db, caller.session);
  if (row === undefined) throw new Refusal('unauthorized_credentials');
  return { row, secret: caller.session };
}

/** The presented session when it is the user's own: neither an impersonator's nor one that an app made. */
export async function ownSession(
  services: Services,
  tx: Db,
  caller: Caller,
  { user_id }: LockedUser,
): Promise<SessionRow | undefined> {
  const presented = await presentedSession(services, tx, caller);
  return presented?.user_id === user_id && !isDelegated(presented) ? presented : undefined;
}

export interface HeldSession {
  readonly row: SessionRow;
  readonly user: LockedUser;
}

/**
 * As `requireSession`, in the transaction that changes the account: the session is read again once its user is locked,
 * so that one that is ended meanwhile adds nothing.
 */
export async function holdSession(services: Services, tx: Db, caller: Caller): Promise<HeldSession> {
  if (caller.session === null) throw new Refusal('user_unauthenticated');
  const before = await findSession(services, tx, caller.session);
  const user = before === undefined ? undefined : await lockUser(tx, before.user_id);
  const row = user === undefined ? undefined : await findSession(services, tx, caller.session);
  if (row === undefined || row.user_id !== user?.user_id) throw new Refusal('unauthorized_credentials');
  return { row, user };
}

/** As `holdSession`, for what shows, adds, removes or changes a factor: with the second factor, where there is one. */
export async function holdSessionForFactors(services: Services, tx: Db, caller: Caller): Promise<HeldSession> {
  const held = await holdSession(services, tx, caller);
  // What the user began is not finished by who acts for them: it would be a session without the mark.
  if (isDelegated(held.row)) throw delegateRefusal(held.row);
  await requireSecondFactor(tx, held.user.user_id, held.row);
  return held;
}

/** As `requireSession`, before a ceremony that ends in `holdSessionForFactors`. */
export async function requireSessionForFactors(services: Services, caller: Caller): Promise<SessionRow> {
  const { row } = await requireSession(services, caller);
  await requireSecondFactor(services.db, row.user_id, row);
  return row;
}
