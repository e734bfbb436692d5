import type { WebauthnRegistration } from '#domain/users/user.ts';
import type { Database } from '#provider/base/db/database.ts';

/** The columns of a passkey that the wire shows. */
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
  'webauthn_registrations.attested',
  'webauthn_registrations.model',
] as const;

type ShownColumn = (typeof REGISTRATION_COLUMNS)[number] extends `${string}.${infer Column}` ? Column : never;
/** The database writes times as strings when it makes JSON. */
type PasskeyRow = Omit<Pick<Database['webauthn_registrations'], ShownColumn>, 'created_at' | 'last_used_at'> & {
  readonly created_at: Date | string;
  readonly last_used_at: Date | string | null;
};

/** A passkey in the wire's format. */
export function registrationFrom(row: PasskeyRow): WebauthnRegistration {
  const { created_at, last_used_at, backup_eligible, ...fields } = row;
  return {
    ...fields,
    // Left out while it is not known.
    ...(backup_eligible === null ? {} : { backup_eligible }),
    verified: true,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  };
}
