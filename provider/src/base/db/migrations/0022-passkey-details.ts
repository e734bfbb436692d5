/**
 * What the list of passkeys tells: when one was last used, whether it is synced, and what keeps it. Null in passkeys that were
 * registered before, until they are used: `aaguid` stays null, because only the registration has it.
 */
export const PASSKEY_DETAILS: readonly string[] = [
  `alter table webauthn_registrations
     add column last_used_at timestamptz,
     add column backed_up boolean,
     add column aaguid text`,
];
