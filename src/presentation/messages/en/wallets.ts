/** What the wallet screens say. */
export const wallets = {
  'wallets.continue': 'Continue with {wallet}',
} as const;
