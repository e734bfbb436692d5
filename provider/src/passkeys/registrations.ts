import type { WebauthnRegistration } from '../../../src/domain/user.ts';
import { nameFrom } from '../../../src/domain/rules/passkeys.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { Services } from '../services.ts';
import type { WebauthnRegistrationsTable } from './tables.ts';

/** What the wire shows of a passkey. */
export const REGISTRATION_COLUMNS = [
  'webauthn_registrations.webauthn_registration_id',
  'webauthn_registrations.domain',
  'webauthn_registrations.user_agent',
  'webauthn_registrations.authenticator_type',
  'webauthn_registrations.name',
  'webauthn_registrations.created_at',
  'webauthn_registrations.last_used_at',
  'webauthn_registrations.backup_eligible',
  'webauthn_registrations.backed_up',
  'webauthn_registrations.aaguid',
] as const;

type ShownColumn = (typeof REGISTRATION_COLUMNS)[number] extends `${string}.${infer Column}` ? Column : never;
/** In JSON that the database makes, times are texts. */
type Shown = Omit<Pick<WebauthnRegistrationsTable, ShownColumn>, 'created_at' | 'last_used_at'> & {
  readonly created_at: Date | string;
  readonly last_used_at: Date | string | null;
};

/** A passkey in the wire's format. */
export function registrationFrom({ created_at, last_used_at, ...shown }: Shown): WebauthnRegistration {
  return {
    ...shown,
    verified: true,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  };
}

export function registrationsOf({ db }: Pick<Services, 'db'>, userId: string, domain: string) {
  return db
    .selectFrom('webauthn_registrations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .orderBy('created_at')
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
 * @param userId whose passkey it must be; null for anybody's
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
