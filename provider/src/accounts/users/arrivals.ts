import { arrivalOf, type Arrival } from '#server-rules/sign-ups.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../services.ts';
import { newcomerOf } from './coming-in.ts';

/** How a person comes who was no user before: by themselves, or by an invitation. */
export type NewcomerKind = 'visitor' | 'invited';

/** The users who come in by an attempt of a transaction. */
const arrivals = new WeakMap<Db, Map<string, NewcomerKind>>();

/** Notes a new user, about whom the hook `sign_up` decides before they are let in. Users whom the app's own server makes are its own. */
export function noteArrival(tx: Db, userId: string, arrival: Arrival): void {
  if (arrival === 'made') return;
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
  if (row !== undefined && !row.has_come_in) noteArrival(tx, userId, arrivalOf(row, null));
}

/** How the user comes in by this attempt, once; undefined for a user who was one before. */
export function takeArrival(tx: Db, userId: string): NewcomerKind | undefined {
  const noted = arrivals.get(tx);
  const kind = noted?.get(userId);
  noted?.delete(userId);
  return kind;
}
