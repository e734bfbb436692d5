import {
  changesBy,
  profileOf,
  readEntry,
  requireComplete,
  requireFields,
  type ProfileOwner,
  type ProfileRules,
} from '#server-rules/profile.ts';
import type { BodyFor, profile as endpoints } from '#application/api/index.ts';
import { sameJson } from '#domain/json.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import { audit } from '#provider/base/audit/record.ts';
import type { Actor } from '#provider/base/audit/events.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from './lock.ts';
import { readWholeUser, type WholeUser } from './read-user.ts';

const ownerOf = ({ user: { name, untrusted_metadata }, accepted_terms }: WholeUser): ProfileOwner => ({
  name,
  untrusted_metadata,
  accepted_terms,
});

/**
 * What the project asks of a user; null if it asks for nothing.
 *
 * @param part everything with the user's values, or what a login of the user lacks (`missingProfile`)
 */
export async function readProfile(
  { project: { profile: rules } }: Pick<Services, 'project'>,
  db: Db,
  userId: string,
  part: (rules: ProfileRules, owner: ProfileOwner) => Profile | null = profileOf,
): Promise<Profile | null> {
  const whole = rules === null ? undefined : await readWholeUser(db, userId);
  return rules === null || whole === undefined ? null : part(rules, ownerOf(whole));
}

interface SavedEntry {
  readonly rules: ProfileRules;
  readonly body: BodyFor<(typeof endpoints)['update']>;
  readonly caller: Pick<RequestCaller, 'address' | 'trail'>;
  /** Who entered it. */
  readonly actor: Actor;
  /** Whether nothing required may be missing afterwards, as in a login. */
  readonly isWhole: boolean;
}

/** Stores what the user entered and accepted, and writes accepted terms into the audit log. */
export async function saveProfile(
  services: Pick<Services, 'clock' | 'keys'>,
  tx: Db,
  { user_id }: LockedUser,
  { rules, body, caller, actor, isWhole }: SavedEntry,
): Promise<void> {
  const entry = readEntry(rules, body);
  requireFields(rules, entry);
  const before = await tx
    .selectFrom('users')
    .select(['name', 'untrusted_metadata', 'accepted_terms'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const after = changesBy(rules, entry, before, new Date(services.clock.now()).toISOString());
  if (isWhole) requireComplete(rules, after);
  const isSame = (key: keyof ProfileOwner): boolean => sameJson(before[key], after[key]);
  const hasWords = !isSame('name') || !isSame('untrusted_metadata');
  if (!hasWords && isSame('accepted_terms')) return;
  await tx
    .updateTable('users')
    .set({
      ...(hasWords && {
        name: JSON.stringify(after.name),
        untrusted_metadata: JSON.stringify(after.untrusted_metadata),
        vouched: false,
      }),
      accepted_terms: JSON.stringify(after.accepted_terms),
    })
    .where('user_id', '=', user_id)
    .execute();
  const isNew = ([id, version]: readonly [string, string]) => before.accepted_terms[id]?.version !== version;
  const terms = Object.fromEntries(Object.entries(entry.terms).filter(isNew));
  if (Object.keys(terms).length === 0) return;
  const { address, trail } = caller;
  const entryOf = { event: 'terms_accepted', user_id, actor, address, request_id: trail.requestId } as const;
  await audit(services, tx, { ...entryOf, details: { terms } });
}
