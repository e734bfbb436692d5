/** The events that the owner of an account is told of. Webhooks have the same names, the audit log has them with `_` for `.`. */
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
