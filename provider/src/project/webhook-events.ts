/** The events that webhooks can receive. */
export const EVENT_TYPES = [
  'user.created',
  'user.updated',
  'user.deleted',
  'session.created',
  'session.revoked',
  'factor.added',
  'factor.removed',
  'password.changed',
  'device.added',
  'recovery_code.used',
  'app.connected',
  'recovery.started',
  'recovery.available',
  'recovery.canceled',
  'recovery.completed',
  'account.restored',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
