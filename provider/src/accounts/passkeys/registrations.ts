import type { WebauthnRegistration } from '#domain/users/user.ts';
import { nameFrom } from '#server-rules/passkeys.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from '../services.ts';
import { REGISTRATION_COLUMNS, registrationFrom } from '../users/passkey-columns.ts';
import type { WebauthnRegistrationsTable } from './tables.ts';

export function registrationsOf({ db }: Pick<Services, 'db'>, userId: string, domain: string) {
  return db
    .selectFrom('webauthn_registrations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .orderBy('created_at')
    .orderBy('webauthn_registration_id')
    .execute();
}

export function descriptorFrom({
  credential_id,
  transports,
}: Pick<WebauthnRegistrationsTable, 'credential_id'> & { readonly transports: readonly string[] }) {
  return { id: credential_id, transports: [...transports] };
}

/**
 * Renames a passkey.
 *
 * @param userId the user who must own the passkey; null for any user
 */
export async function renameRegistration(
  { db }: Pick<Services, 'db'>,
  registrationId: string,
  { name: text, userId }: { readonly name: string; readonly userId: string | null },
): Promise<WebauthnRegistration> {
  const name = nameFrom(text);
  if (name === null) throw new Refusal('invalid_webauthn_name');
  let renaming = db
    .updateTable('webauthn_registrations')
    .set({ name })
    .where('webauthn_registration_id', '=', registrationId);
  if (userId !== null) renaming = renaming.where('user_id', '=', userId);
  const renamed = await renaming.returning(REGISTRATION_COLUMNS).executeTakeFirst();
  if (renamed === undefined) throw new Refusal('webauthn_registration_not_found');
  return registrationFrom(renamed);
}
