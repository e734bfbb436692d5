import type { Lane } from './queue.ts';

/** After as many failures in a row the carrier is down. Fewer may be due to the messages. */
export const DOWN_AFTER = 3;

/** A lane, and how many of its messages are under way. */
export interface LaneState extends Lane {
  readonly limit: number;
  busy: number;
  /** Whether the last claim took as many messages as it could, so that there may be more. */
  full: boolean;
  /** The attempts that failed since the last success. */
  failures: number;
  /** Those since then at which the receiver took no message at all. */
  absences: number;
  /** By `performance.now()`. */
  probedAt: number;
}

/** Whether one of its messages is tried often while the carrier is down. A webhook, or an app that logs out, can wait. */
export const hasProbes = ({ channel }: Lane): boolean => channel !== 'webhook' && channel !== 'logout';

/**
 * How many messages of the lane may be taken. A receiver that takes none is asked for one of them only when it is time for a probe:
 * each further message would fail as well, and use up one of its attempts.
 */
export function roomOf({ limit, busy, absences }: LaneState, isProbed: boolean): number {
  if (absences < DOWN_AFTER) return limit - busy;
  return isProbed ? 1 : 0;
}
