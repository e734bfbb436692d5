import { randomBytes } from 'node:crypto';

/** Time, as milliseconds since 1970. It is injected so that tests can change it. */
export interface Clock {
  now(): number;
}

/** Unpredictable bytes. They are injected so that a test can predict them. */
export interface Random {
  bytes(count: number): Uint8Array;
  /** Whether new ids are those of a live project, such as `user-live-…`; otherwise they contain `test`. */
  readonly isLive?: boolean;
}

export const systemClock: Clock = { now: () => Date.now() };
/** For durations within this process: it does not jump if the machine's clock is set. */
export const monotonicClock: Clock = { now: () => performance.now() };
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** How many bytes are read from the system at a time, for many small values. */
const POOL_BYTES = 16_384;

/** The same randomness, read from the system in larger pieces, because a batch of rows needs thousands of ids and nonces. */
export function pooled(random: Random): Random {
  let pool: Uint8Array = new Uint8Array();
  let used = 0;
  return {
    ...random,
    bytes(count) {
      if (count > POOL_BYTES) return random.bytes(count);
      if (used + count > pool.length) {
        pool = random.bytes(POOL_BYTES);
        used = 0;
      }
      const bytes = pool.slice(used, used + count);
      used += count;
      return bytes;
    },
  };
}

/** The randomness for a project. Its id determines whether it is live. */
export function randomOf({ project_id }: { readonly project_id: string }): Random {
  return { ...systemRandom, isLive: project_id.startsWith('project-live-') };
}

export const MINUTE_MS = 60_000;
