/** Passkeys, wallets and social logins. */
export const PASSKEYS_WALLETS_SOCIAL: readonly string[] = [];
