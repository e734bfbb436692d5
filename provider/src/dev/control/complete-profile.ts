import { changesBy, missingProfile } from '#server-rules/profile.ts';
import type { Services } from '#provider/api/services.ts';
import type { LockedUser } from '#provider/accounts/users/lock.ts';
import { readProfile } from '#provider/accounts/users/profile.ts';
import type { Db } from '#provider/base/db/database.ts';

/** The value of a field without options. */
const FILLING = 'Test';

/** Fills in what the project requires of the user and they lack, and accepts its terms, as if they had been asked. */
export async function completeProfile(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  { user_id }: LockedUser,
): Promise<void> {
  const rules = services.project.profile;
  const missing = await readProfile(services, tx, user_id, missingProfile);
  if (rules === null || missing === null) return;
  const required = missing.fields.filter((field) => field.required);
  const fields = Object.fromEntries(required.map(({ field, options }) => [field, options?.[0]?.value ?? FILLING]));
  const terms = Object.fromEntries(missing.terms.map(({ terms_id, version }) => [terms_id, version]));
  const before = await tx
    .selectFrom('users')
    .select(['name', 'untrusted_metadata', 'accepted_terms'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const after = changesBy(rules, { fields, terms }, before, new Date(services.clock.now()).toISOString());
  await tx
    .updateTable('users')
    .set({
      name: JSON.stringify(after.name),
      untrusted_metadata: JSON.stringify(after.untrusted_metadata),
      accepted_terms: JSON.stringify(after.accepted_terms),
    })
    .where('user_id', '=', user_id)
    .execute();
}
