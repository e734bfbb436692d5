import { flag, object } from '../readers/readers.ts';

/** The optional notices. People are always notified of changes of their password, addresses and numbers, and of a pending recovery. */
export interface NoticeSettings {
  /** A passkey, authenticator app, wallet or social account was added or removed. */
  readonly factors: boolean;
  /** A login from a browser (without one, from a network) that was not seen in the last 30 days. */
  readonly devices: boolean;
  /** A recovery code was used. */
  readonly recovery_codes: boolean;
  /** A connected app was given access. */
  readonly apps: boolean;
}

export const FEW_NOTICES: NoticeSettings = { factors: false, devices: false, recovery_codes: false, apps: false };

export const noticeSettings = object<NoticeSettings>(
  { factors: flag, devices: flag, recovery_codes: flag, apps: flag },
  FEW_NOTICES,
);
