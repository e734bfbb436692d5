import { joins, ownOf } from '../../../src/domain/rules/delegates.ts';
import { FACTORS, stamped, withFactor, type NewFactor } from '../../../src/domain/rules/factors.ts';
import type { Db } from '../db/database.ts';
import { MINUTE_MS } from '../platform.ts';
import { rememberNetwork } from '../security/known-networks.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from '../users/lock.ts';
import { confirmEmail, lockEmail } from '../users/store.ts';
import { type Caller, type CurrentSession } from './current.ts';
import { authenticated, tokenOf, type AuthenticatedReply } from './store.ts';
import type { SessionRow } from './tables.ts';

export interface Login {
  readonly user: LockedUser;
  readonly factor: NewFactor;
  readonly minutes: number;
  readonly caller: Caller;
  /** The live session that came with the request, read once the user was locked. A login that joins none says so. */
  readonly presented: CurrentSession | undefined;
  /** The tokens of the app that the session is made from, if it is. */
  readonly family_id?: string | undefined;
}

/**
 * Logs in the user whom the factor proves. The live session that the same user presented gets the factor; else a new
 * one starts. A session that an app made from its tokens takes only factors that this app brings, and one of an
 * impersonator takes none. Token and JWT are new either way: those from before the login are worth nothing after it.
 */
export async function logIn(services: Services, tx: Db, login: Login): Promise<AuthenticatedReply> {
  const { presented, user, factor, family_id, caller } = login;
  const goesOn = presented !== undefined && joins(presented, { user_id: user.user_id, family_id });
  const joined = goesOn ? await addFactor(services, tx, presented, login) : undefined;
  const session = joined ?? (await start(services, tx, login));
  await tx.deleteFrom('session_tokens').where('session_id', '=', session.session_id).execute();
  const token = await tokenOf(services, tx, session);
  await rememberNetwork(services, tx, { user_id: user.user_id, factor, address: caller.address });
  return authenticated(services, tx, session, token);
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
      attributes: JSON.stringify({ ip_address: login.caller.address, user_agent: login.caller.userAgent }),
      authentication_factors: JSON.stringify([stamped(login.factor, now)]),
      family_id: login.family_id ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Undefined when the session ended meanwhile. Its factors cannot change meanwhile: every login locks the user first. */
async function addFactor(
  services: Services,
  tx: Db,
  session: CurrentSession,
  login: Login,
): Promise<SessionRow | undefined> {
  const now = services.clock.now();
  const factors = withFactor(session.authentication_factors, login.factor, now);
  const wanted = new Date(now + login.minutes * MINUTE_MS);
  return tx
    .updateTable('sessions')
    .set((update) => ({
      last_accessed_at: new Date(now),
      // A refresh may lengthen the session at the same time.
      expires_at: update.fn<Date>('greatest', ['expires_at', update.cast(update.val(wanted), 'timestamptz')]),
      authentication_factors: JSON.stringify(factors),
      generation: session.generation + 1,
    }))
    .where('session_id', '=', session.session_id)
    .where('generation', '=', session.generation)
    .returningAll()
    .executeTakeFirst();
}

export interface EmailLogin {
  readonly email_id: string;
  /** Spends what proves the login. False when it was spent meanwhile. */
  readonly spend: () => Promise<boolean>;
  readonly type: 'otp' | 'magic_link';
  readonly minutes: number;
  readonly caller: Caller;
}

/** Logs in whoever proved to read an address's mail. Undefined when the address, or the proof, is gone meanwhile. */
export async function logInByEmail(
  services: Services,
  tx: Db,
  { email_id, spend, type, minutes, caller }: EmailLogin,
): Promise<AuthenticatedReply | undefined> {
  const found = await lockEmail(tx, email_id);
  if (found === undefined || !(await spend())) return undefined;
  const presented = await caller.session.findIn(tx);
  const { email, user } = await confirmEmail(tx, found, ownOf(found.user, presented));
  return logIn(services, tx, { user, factor: FACTORS.email(type, email), minutes, caller, presented });
}
