/** What the authenticator of a passkey proved of its model when the passkey was added. Null in passkeys from before. */
export const ATTESTED_PASSKEYS: readonly string[] = [
  `alter table webauthn_registrations
     add column attestation_format text,
     add column attested boolean,
     add column model text`,
];
