import { randomBytes } from 'node:crypto';

/** Time, as milliseconds since 1970; injected so that tests can move it. */
export interface Clock {
  now(): number;
}

/** Unpredictable bytes; injected so that a test can foresee them. */
export interface Random {
  bytes(count: number): Uint8Array;
}

export const systemClock: Clock = { now: () => Date.now() };
/** For durations within this process: it does not jump when the machine's clock is set. */
export const monotonicClock: Clock = { now: () => performance.now() };
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

export const MINUTE_MS = 60_000;
