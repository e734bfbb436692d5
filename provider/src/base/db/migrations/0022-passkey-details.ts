/**
 * The details in the list of passkeys: when a passkey was last used, whether it is synced, and its password manager. Null in passkeys
 * that were registered before, until they are used: `aaguid` stays null, because only the registration has it.
 */
export const PASSKEY_DETAILS: readonly string[] = [
  `alter table webauthn_registrations
     add column last_used_at timestamptz,
     add column backed_up boolean,
     add column aaguid text`,
];
