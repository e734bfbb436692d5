import { MINUTE_MS } from '../../base/platform.ts';

/** For how long a new user may have proven nothing before the sweep looks at them. */
export const UNPROVEN_KEPT_MS = 7 * 24 * 60 * MINUTE_MS;

/** When the sweep looks at a user who is made now. */
export const proofDueAt = (now: number): Date => new Date(now + UNPROVEN_KEPT_MS);
