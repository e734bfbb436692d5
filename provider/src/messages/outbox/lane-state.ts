import type { Lane } from './queue.ts';

/** After this many failures in a row the carrier counts as down. Fewer may be caused by the messages. */
export const DOWN_AFTER = 3;

/** A lane, and how many of its messages are under way. */
export interface LaneState extends Lane {
  readonly limit: number;
  busy: number;
  /** Whether the last claim took as many messages as possible, so that there may be more. */
  full: boolean;
  /** The failed attempts since the last success. */
  failures: number;
  /** Those of them in which the receiver accepted no message at all. */
  absences: number;
  /** By `performance.now()`. */
  probedAt: number;
}

/** Whether one of its messages is tried often while the carrier is down. A webhook, or an app's logout notice, can wait. */
export const hasProbes = ({ channel }: Lane): boolean => channel !== 'webhook' && channel !== 'logout';

/**
 * How many messages of the lane may be claimed. If the receiver accepts none, only one is claimed when a probe is due: each further message
 * would fail as well, and use up one of its attempts.
 */
export function roomOf({ limit, busy, absences }: LaneState, isProbed: boolean): number {
  if (absences < DOWN_AFTER) return limit - busy;
  return isProbed ? 1 : 0;
}
