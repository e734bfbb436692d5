import { NOTICE_EVENTS } from '#provider/base/notices/events.ts';

/** The events that webhooks can receive. */
export const EVENT_TYPES = [
  'user.created',
  'user.updated',
  'user.deleted',
  'session.created',
  'session.revoked',
  ...NOTICE_EVENTS,
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
