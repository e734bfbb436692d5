import type {
  AccountChange,
  AccountNews,
  ButtonChange,
  ChangeInProgress,
  RemovalTarget,
  RowChange,
} from './account.ts';

export const isRowChange = (change: AccountChange | ChangeInProgress): change is RowChange =>
  change.kind === 'remove' || change.kind === 'renamePasskey' || change.kind === 'acceptTerms';

/** Whether a button requests the change. False for those of forms, which are busy while another change is made. */
const OF_BUTTON: Readonly<Record<AccountChange['kind'], boolean>> = {
  name: false,
  details: false,
  acceptTerms: true,
  sendCode: false,
  sendText: false,
  enterCode: false,
  remove: true,
  password: false,
  addPasskey: true,
  renamePasskey: true,
  createTotp: true,
  confirmTotp: false,
  showRecoveryCodes: true,
  renewRecoveryCodes: true,
  endOthers: false,
  moreSessions: true,
  exportData: false,
  deleteUser: false,
  signOut: true,
};

export const isButtonChange = (change: AccountChange): change is ButtonChange => OF_BUTTON[change.kind];

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
