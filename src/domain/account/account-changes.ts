import type { AccountChange, AccountNews, ChangeInProgress, RemovalTarget, RowChange } from './account.ts';

export const isRowChange = (change: AccountChange | ChangeInProgress): change is RowChange =>
  change.kind === 'remove' || change.kind === 'renamePasskey';

/** A change without its secrets. */
export const doingOf = (change: AccountChange): ChangeInProgress =>
  isRowChange(change) ? change : { kind: change.kind };

/** The name of each removal after its success. */
export const REMOVED = {
  email: 'emailRemoved',
  phone: 'phoneRemoved',
  totp: 'totpRemoved',
  app: 'appRevoked',
  passkey: 'passkeyRemoved',
  social: 'socialRemoved',
  wallet: 'walletRemoved',
  session: 'sessionEnded',
  device: 'deviceRemoved',
  recovery: 'recoveryStopped',
} as const satisfies Readonly<Record<RemovalTarget, AccountNews>>;
