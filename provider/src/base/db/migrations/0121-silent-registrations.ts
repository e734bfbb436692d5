/** False for a registration that no person confirms: the browser made the passkey after a login (WebAuthn Level 3, section 5.1.3). */
export const SILENT_REGISTRATIONS: readonly string[] = [
  `alter table webauthn_challenges add column user_presence boolean not null default true`,
];
