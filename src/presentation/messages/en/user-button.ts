/** The texts of the user button. */
export const userButton = {
  'user.open': 'Account menu of {name}',
  'user.openUnnamed': 'Account menu',
  'user.manage': 'Manage account',
  'user.signOut': 'Sign out',
  'user.failed': 'You are still signed in.',
  'user.close': 'Close',
} as const;
