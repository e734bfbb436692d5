import { sql } from 'kysely';
import type { Db } from '../../base/db/database.ts';
import type { Services } from '../services.ts';

const ofUser = (table: string, condition = 'true') =>
  `exists (select from ${table} t where t.user_id = users.user_id and ${condition})`;

/** True for a user who has proven something, or set a login method up in a session. */
const CAME_IN = sql<boolean>`(${sql.raw(
  [
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
    .select(['status', 'managed', CAME_IN.as('came_in'), invitation.as('is_invited')])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
