/** A passkey that its user did not add lets nobody in while the recovery that removes it waits. */
export const DISPUTED_PASSKEYS: readonly string[] = ['alter table webauthn_registrations add column disputed_in text'];
