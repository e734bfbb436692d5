/**
 * Sign-ups with a passkey alone. The address that such a person entered is none of their contacts: it is not unique, nobody is found by
 * it, and it says nothing until its owner proves it. `unproven_in` is the session of the sign-up.
 */
export const PASSKEY_SIGN_UPS: readonly string[] = [
  'alter table webauthn_challenges add column sign_up_email text',
  'alter table users add column unproven_email text, add column unproven_in text',
];
