/** Another system may not have stored the user handle of a passkey, nor whether it may be synced. The first login shows the latter. */
export const IMPORTED_PASSKEYS: readonly string[] = [
  `alter table webauthn_registrations
     alter column user_handle drop not null,
     alter column backup_eligible drop not null`,
];
