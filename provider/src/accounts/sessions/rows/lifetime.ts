import { sql, type RawBuilder } from 'kysely';
import { absoluteEnd, sessionEnd } from '#domain/rules/lifetimes.ts';
import type { Db } from '#provider/base/db/database.ts';
import { endOfFamily } from './family-end.ts';
import type { Services } from '../../services.ts';
import type { SessionRow } from '../tables.ts';

/** When a session ends, and the latest time it can be extended to. */
export interface Lifetime {
  readonly end: Date;
  readonly latest: Date;
}

/**
 * The only rule for the end of a session that starts, is joined or is extended, for all calls. A session that an app made from its tokens
 * ends with the tokens; if they have ended, it ends now.
 *
 * @param minutes the requested lifetime, from now; null to keep the end
 */
export async function lifetimeOf(
  { project, clock }: Pick<Services, 'project' | 'clock'>,
  db: Db,
  { started_at, expires_at, family_id }: Pick<SessionRow, 'started_at' | 'family_id'> & { readonly expires_at?: Date },
  minutes: number | null,
): Promise<Lifetime> {
  const now = clock.now();
  const ownEnd = absoluteEnd(project, started_at.getTime());
  const latest = family_id === null ? ownEnd : Math.min(ownEnd, (await endOfFamily({ db, project }, family_id)) ?? now);
  const times = { now, minutes, latest, ...(expires_at === undefined ? {} : { endsAt: expires_at.getTime() }) };
  return { end: new Date(sessionEnd(project, times)), latest: new Date(latest) };
}

/** The end to store. It accounts for another request that extends the session at the same time. */
export function storedEnd({ end, latest }: Lifetime): RawBuilder<Date> {
  return sql<Date>`least(greatest(expires_at, ${end}::timestamptz), ${latest}::timestamptz)`;
}
