import { mergeName } from '../../../../server-rules/accounts.ts';
import { mergeMetadata } from '../../../../server-rules/metadata.ts';
import {
  changesBy,
  missingProfile,
  profileOf,
  readEntry,
  requireComplete,
  requireFields,
  type ProfileOwner,
  type ProfileRules,
} from '../../../../server-rules/profile.ts';
import type { BodyFor, profile as endpoints } from '../../../../src/application/api/index.ts';
import type { Profile } from '../../../../src/domain/sessions/profile.ts';
import { audit } from '../../base/audit/record.ts';
import type { Actor } from '../../base/audit/trail.ts';
import type { Db } from '../../base/db/database.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from './lock.ts';
import { readWholeUser, type WholeUser } from './read-user.ts';

const ownerOf = ({ user: { name, untrusted_metadata }, accepted_terms }: WholeUser): ProfileOwner => ({
  name,
  untrusted_metadata,
  accepted_terms,
});

/** Everything that the project asks for, with the user's values; null in a project that asks for nothing. */
export async function readProfile(
  { project: { profile: rules } }: Pick<Services, 'project'>,
  db: Db,
  userId: string,
): Promise<Profile | null> {
  const whole = rules === null ? undefined : await readWholeUser(db, userId);
  return rules === null || whole === undefined ? null : profileOf(rules, ownerOf(whole));
}

/** What a login of the user lacks; null if it lacks nothing. */
export async function lackingProfile(
  { project: { profile: rules } }: Pick<Services, 'project'>,
  db: Db,
  userId: string,
): Promise<Profile | null> {
  const whole = rules === null ? undefined : await readWholeUser(db, userId);
  return rules === null || whole === undefined ? null : missingProfile(rules, ownerOf(whole));
}

interface SavedEntry {
  readonly rules: ProfileRules;
  readonly body: BodyFor<(typeof endpoints)['update']>;
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
  { rules, body, actor, isWhole }: SavedEntry,
): Promise<void> {
  const entry = readEntry(rules, body);
  requireFields(rules, entry);
  const before = await tx
    .selectFrom('users')
    .select(['name', 'untrusted_metadata', 'accepted_terms'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const changes = changesBy(entry, before.accepted_terms, new Date(services.clock.now()).toISOString());
  const after = {
    name: mergeName(before.name, changes.name),
    untrusted_metadata: mergeMetadata(before.untrusted_metadata, changes.untrusted_metadata, 'untrusted_metadata'),
    accepted_terms: changes.accepted_terms,
  };
  if (isWhole) requireComplete(rules, after);
  const hasFields = Object.keys(entry.fields).length > 0;
  await tx
    .updateTable('users')
    .set({
      ...(hasFields && {
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
  await audit(services, tx, { event: 'terms_accepted', user_id, actor, details: { terms } });
}
