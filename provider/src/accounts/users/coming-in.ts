import { sql } from 'kysely';
import { arrivalOf, type Arrival } from '#server-rules/sign-ups.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from './lock.ts';

/**
 * A request for a message makes a user before anybody has proven anything. Such a user has not come in: the project's `sign_up` is applied
 * once more when they first log in, and they get its roles as it has them then.
 */

const ofUser = (table: string, condition = 'true') =>
  `exists (select from ${table} t where t.user_id = users.user_id and ${condition})`;

/**
 * True for a user who has come in. That is stored, because the app's own server and the user may remove everything that shows it. Servers of
 * an older version do not store it.
 */
const CAME_IN = sql<boolean>`(${sql.raw(
  [
    'users.came_in',
    ofUser('emails', 't.verified'),
    ofUser('phone_numbers', 't.verified'),
    ...['passwords', 'oauth_registrations', 'crypto_wallets', 'webauthn_registrations'].map((table) => ofUser(table)),
  ].join(' or '),
)})`;

/** Whether and how a stored user has come in, or may. Undefined for an unknown id. */
export async function newcomerOf({ clock }: Pick<Services, 'clock'>, tx: Db, userId: string) {
  const invitation = sql<boolean>`exists (select from magic_links l where l.user_id = users.user_id
    and l.purpose = 'invite' and l.expires_at > ${new Date(clock.now())})`;
  return tx
    .selectFrom('users')
    .select(['status', 'arrival', CAME_IN.as('has_come_in'), invitation.as('is_invited')])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** The roles of a user who comes in now: the given ones, unless the app's own server has named others. */
const rolesNow = (roles: readonly string[]) => sql<string>`case when ${CAME_IN} or users.roles_named
  or users.arrival = 'made' then given_roles else ${JSON.stringify(roles)}::jsonb end`;

/**
 * Marks a user as active, because the first login ends `pending`. Call it before the proof of the login is stored, which shows that the
 * user has come in.
 */
export async function comeIn(
  { project: { sign_up } }: Pick<Services, 'project'>,
  tx: Db,
  { user_id }: LockedUser,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ status: 'active', came_in: true, given_roles: rolesNow(sign_up.roles) })
    .where('user_id', '=', user_id)
    .where((where) => where.or([where('status', '=', 'pending'), where('came_in', '=', false)]))
    .execute();
}

/** Makes the user one whom the app's own server made, as of now. It names the roles of those whom it makes. */
export async function takeOver(tx: Db, { user_id }: LockedUser): Promise<void> {
  await tx
    .updateTable('users')
    .set({ status: 'active', came_in: true, managed: true, arrival: 'made', given_roles: rolesNow([]) })
    .where('user_id', '=', user_id)
    .execute();
}

/** Gives the roles of `sign_up` to a user who was invited and has not come in. */
export async function giveInvitedRoles(
  { project: { sign_up } }: Pick<Services, 'project'>,
  tx: Db,
  { user_id }: LockedUser,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ given_roles: rolesNow(sign_up.roles) })
    .where('user_id', '=', user_id)
    .execute();
}

/** How a person comes who was no user before: by themselves, or by an invitation. */
type NewcomerKind = 'visitor' | 'invited';

/** The users who come in by an attempt of a transaction. */
const arrivals = new WeakMap<Db, Map<string, NewcomerKind>>();

/** Notes a new user, about whom the hook `sign_up` decides before they are let in. Users whom the app's own server makes are its own. */
export function noteArrival(tx: Db, userId: string, arrival: Exclude<Arrival, 'made'>): void {
  const noted = arrivals.get(tx) ?? new Map<string, NewcomerKind>();
  arrivals.set(tx, noted.set(userId, arrival === 'invited' ? 'invited' : 'visitor'));
}

/** Notes a user whom a request for a message made, if this is the first thing that they prove. */
export async function noteFirstProof(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  userId: string,
): Promise<void> {
  if (services.project.hooks.sign_up === null) return;
  const row = await newcomerOf(services, tx, userId);
  if (row === undefined || row.has_come_in) return;
  const arrival = arrivalOf(row, null);
  if (arrival !== 'made') noteArrival(tx, userId, arrival);
}

/** How the user comes in by this attempt, once; undefined for a user who was one before. */
export function takeArrival(tx: Db, userId: string): NewcomerKind | undefined {
  const noted = arrivals.get(tx);
  const kind = noted?.get(userId);
  noted?.delete(userId);
  return kind;
}
