import type { AccountChange, AccountNews, ChangeInProgress, RemovalTarget, RowChange } from './account.ts';

export const isRowChange = (change: AccountChange | ChangeInProgress): change is RowChange =>
  change.kind === 'remove' || change.kind === 'renamePasskey';

/** A change without its secrets. */
export function doingOf(change: AccountChange): ChangeInProgress {
  if (isRowChange(change)) return change;
  if (change.kind === 'sendCode') return { kind: change.kind, method: change.method };
  return change.kind === 'enterCode' ? { kind: change.kind, method: change.otp.type } : { kind: change.kind };
}

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
