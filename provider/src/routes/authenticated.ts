import type { Authenticated, ReplyBase } from '../../../src/application/api/index.ts';
import { withRoles } from '../access/roles.ts';
import type { Db } from '../db/tables.ts';
import type { Caller } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { signSession } from '../security/session-jwt.ts';
import type { Services } from '../services.ts';
import { findSession, logIn, sessionFrom, type NewFactor, type SessionRow } from '../store/sessions.ts';
import { confirmEmail, readUser } from '../store/users.ts';

export type AuthenticatedReply = Omit<Authenticated, keyof ReplyBase>;

/** What every successful authenticate call answers. */
export async function authenticated(
  services: Services,
  db: Db,
  row: SessionRow,
  token: string,
): Promise<AuthenticatedReply> {
  const session = sessionFrom(row);
  return {
    user_id: row.user_id,
    user: await withRoles(services.project, db, await readUser(db, row.user_id)),
    session,
    session_token: token,
    session_jwt: await signSession({ ...services, db }, session),
  };
}

export interface EmailLogin {
  readonly email_id: string;
  readonly type: 'otp' | 'magic_link';
  readonly minutes: number;
  readonly caller: Caller;
}

export interface Proven {
  readonly user_id: string;
  readonly factor: NewFactor;
  readonly minutes: number;
  readonly caller: Caller;
}

/** Logs in whom the factor stands for: in the session that they presented, or in a new one. */
export async function logInAs(
  services: Services,
  tx: Db,
  { user_id, factor, minutes, caller }: Proven,
): Promise<AuthenticatedReply> {
  const { row, token } = await logIn(services, tx, {
    user_id,
    minutes,
    factor,
    attributes: { ip_address: caller.address, user_agent: caller.userAgent },
    presented: caller.session,
  });
  return authenticated(services, tx, row, token);
}

/** Logs in whoever proved to read an address's mail. Undefined when the address is gone meanwhile. */
export async function logInByEmail(
  services: Services,
  tx: Db,
  { email_id, type, minutes, caller }: EmailLogin,
): Promise<AuthenticatedReply | undefined> {
  const presented = caller.session === null ? undefined : await findSession(services, tx, caller.session);
  const email = await confirmEmail(tx, email_id, presented);
  if (email === undefined) return undefined;
  const factor = emailFactor(type, email);
  return logInAs(services, tx, { user_id: email.user_id, factor, minutes, caller });
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

/** As `requireSession`, in the transaction that adds to it: a session that is ended meanwhile is not brought back. */
export async function holdSession(services: Services, tx: Db, caller: Caller): Promise<SessionRow> {
  if (caller.session === null) throw new Refusal('user_unauthenticated');
  const row = await findSession(services, tx, caller.session);
  const held =
    row === undefined
      ? undefined
      : await tx
          .selectFrom('sessions')
          .select('session_id')
          .where('session_id', '=', row.session_id)
          .forUpdate()
          .executeTakeFirst();
  if (row === undefined || held === undefined) throw new Refusal('unauthorized_credentials');
  return row;
}
