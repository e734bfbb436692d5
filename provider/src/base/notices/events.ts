/** The events that the owner of an account is notified of. Webhooks use the same names; the audit log uses `_` instead of `.`. */
export const NOTICE_EVENTS = [
  'password.changed',
  'factor.added',
  'factor.removed',
  'device.added',
  'recovery_code.used',
  'recovery_codes.renewed',
  'app.connected',
  'recovery.started',
  'recovery.available',
  'recovery.canceled',
  'recovery.completed',
  'account.restored',
] as const;

export type NoticeEvent = (typeof NOTICE_EVENTS)[number];
