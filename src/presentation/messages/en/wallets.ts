/** What the wallet screens say. */
export const wallets = {} as const;
