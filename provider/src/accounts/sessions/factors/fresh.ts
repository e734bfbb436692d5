import { sql } from 'kysely';
import {
  ATTESTED_METHOD,
  PASSWORD_METHOD,
  staleProof,
  withoutMethods,
  type Additions,
} from '#server-rules/fresh-proof.ts';
import { lacksEnrolled } from '#server-rules/mfa-policy.ts';
import type { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { Services } from '../../services.ts';
import { readWholeUser } from '../../users/read-user.ts';
import type { CurrentSession } from '../rows/find.ts';
import { mfaRulesOf, mfaUser } from './policy.ts';

/**
 * The refusal if the session has no recent proof, else null. A proof is recent if it is at most ten minutes old, and its method was added
 * neither in this session nor within the last day.
 */
export async function staleProofOf(
  services: Pick<Services, 'clock' | 'project'>,
  db: Db,
  session: CurrentSession,
): Promise<Refusal | null> {
  const whole = await readWholeUser(db, session.user_id);
  const now = whole && mfaUser(services, whole);
  const { here, young } = await additionsIn(services, db, session);
  const added = new Set([...here, ...young]);
  const rules = mfaRulesOf(services);
  const user = now && withoutMethods(now, added);
  const hasApp = user?.totps.some(({ verified }) => verified) === true;
  const hasOther = rules !== undefined && user !== undefined && lacksEnrolled(rules, user, []);
  return staleProof(session, { hasSecondFactor: hasApp || hasOther, added, now: services.clock.now() });
}

/** The tables of login methods that have ids, with the id of each. */
export const METHODS = {
  emails: 'email_id',
  phone_numbers: 'phone_id',
  totps: 'totp_id',
  webauthn_registrations: 'webauthn_registration_id',
  crypto_wallets: 'crypto_wallet_id',
  oauth_registrations: 'oauth_user_registration_id',
} as const;

/** How long a new login method proves nothing: its owner is notified and can remove it. */
const YOUNG_MS = 24 * 60 * MINUTE_MS;

/**
 * The login methods that were added in the session after it began (those of a sign-up are older than its session), or recently to an older
 * account. Otherwise whoever has a stolen session could add a login method, and log in by it to begin a session that added nothing.
 */
export async function additionsIn(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  { user_id, session_id, started_at }: Pick<CurrentSession, 'user_id' | 'session_id' | 'started_at'>,
): Promise<Additions> {
  const lately = sql`${new Date(clock.now() - YOUNG_MS)}::timestamptz`;
  const flags = sql`(added_in is not distinct from ${session_id} and created_at > ${new Date(started_at)}::timestamptz) as here,
    (created_at > ${lately} and exists (select from users where users.user_id = ${user_id} and users.created_at <= ${lately})) as young`;
  const ids = Object.entries(METHODS).map(
    ([table, id]) => sql`select ${sql.ref(id)} as id, ${flags} from ${sql.table(table)} where user_id = ${user_id}`,
  );
  const password = sql`select ${PASSWORD_METHOD}::text as id, ${flags} from passwords where user_id = ${user_id}`;
  // A trusted issuer may have identified the user by a new address, and whoever added the address may have an account there.
  const attested = sql`select ${ATTESTED_METHOD}::text as id, ${flags} from emails where user_id = ${user_id}`;
  const all = sql<{ readonly id: string; readonly here: boolean; readonly young: boolean }>`
    ${sql.join([...ids, password, attested], sql` union all `)}`;
  const { rows } = await all.execute(db);
  return {
    here: new Set(rows.filter(({ here }) => here).map(({ id }) => id)),
    young: new Set(rows.filter(({ young }) => young).map(({ id }) => id)),
    hasOlder: rows.some(({ here, young }) => !here && !young),
  };
}
