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
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
