import type { AccountChange, AccountNews, ChangeInProgress, Removable } from './account.ts';

/** A change without its secrets. */
export function doingOf(change: AccountChange): ChangeInProgress {
  return change.kind === 'remove' || change.kind === 'renamePasskey' ? change : { kind: change.kind };
}

/** What a removal is called when it is done. */
export const REMOVED = {
  email: 'emailRemoved',
  phone: 'phoneRemoved',
  totp: 'totpRemoved',
  app: 'appRevoked',
  passkey: 'passkeyRemoved',
  session: 'sessionEnded',
} as const satisfies Readonly<Record<Removable | 'passkey' | 'session', AccountNews>>;
