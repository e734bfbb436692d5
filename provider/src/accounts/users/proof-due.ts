import { MINUTE_MS } from '#provider/base/platform.ts';

/** How long a new user may stay unverified before the sweep checks them. */
export const UNPROVEN_KEPT_MS = 7 * 24 * 60 * MINUTE_MS;

/** When the sweep checks a user who is created now. */
export const proofDueAt = (now: number): Date => new Date(now + UNPROVEN_KEPT_MS);
