import { MINUTE_MS } from '../platform.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long the audit log keeps an event, and a refused one. The table's trigger uses the same times. */
export const AUDIT_KEPT_MS = 365 * DAY_MS;
export const AUDIT_REFUSED_KEPT_MS = 30 * DAY_MS;
