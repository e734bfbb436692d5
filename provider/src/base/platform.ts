import { randomBytes } from 'node:crypto';

/** Time, as milliseconds since 1970; injected so that tests can move it. */
export interface Clock {
  now(): number;
}

/** Unpredictable bytes; injected so that a test can foresee them. */
export interface Random {
  bytes(count: number): Uint8Array;
  /** Whether new ids are those of a live project, such as `user-live-…`; else they contain `test`. */
  readonly isLive?: boolean;
}

export const systemClock: Clock = { now: () => Date.now() };
/** For durations within this process: it does not jump when the machine's clock is set. */
export const monotonicClock: Clock = { now: () => performance.now() };
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** The randomness for a project, whose id says whether it is live. */
export function randomOf({ project_id }: { readonly project_id: string }): Random {
  return { ...systemRandom, isLive: project_id.startsWith('project-live-') };
}

export const MINUTE_MS = 60_000;
