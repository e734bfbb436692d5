/** What the passkey screens say. */
export const passkeys = {} as const;
