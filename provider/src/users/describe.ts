import { mergeName } from '../../../src/domain/rules/accounts.ts';
import { mergeMetadata } from '../../../src/domain/rules/metadata.ts';
import type { Db } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { LockedUser } from './lock.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the app's own server says of a user. */
export interface Description {
  readonly name?: Fields | undefined;
  readonly trusted_metadata?: Fields | undefined;
  readonly untrusted_metadata?: Fields | undefined;
}

/** Merges what the app's own server says into what is known of the user. */
export async function describeUser(
  _services: Services,
  tx: Db,
  { user_id }: LockedUser,
  given: Description,
): Promise<void> {
  const before = await tx
    .selectFrom('users')
    .select(['name', 'trusted_metadata', 'untrusted_metadata'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('users')
    .set({
      name: JSON.stringify(mergeName(before.name, given.name ?? {})),
      trusted_metadata: JSON.stringify(mergeMetadata(before.trusted_metadata, given.trusted_metadata ?? {})),
      untrusted_metadata: JSON.stringify(mergeMetadata(before.untrusted_metadata, given.untrusted_metadata ?? {})),
    })
    .where('user_id', '=', user_id)
    .execute();
}
