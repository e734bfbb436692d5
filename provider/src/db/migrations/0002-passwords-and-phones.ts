/** Phone numbers, passwords and their resets, authenticator apps. */
export const PASSWORDS_AND_PHONES: readonly string[] = [];
