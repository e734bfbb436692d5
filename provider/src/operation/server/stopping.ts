import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionDrain } from '../../base/http/connection-drain.ts';
import type { ListeningServer } from './listen.ts';

/** The longest time, in milliseconds, for the background work to stop and the database to close. */
const STEP_MS = 5_000;

export interface StopSteps {
  readonly draining: ConnectionDrain;
  /** The server still accepts requests for this long, so that load balancers notice that it stops. */
  readonly drainMs: number;
  readonly listening: ListeningServer;
  /** Ends the responses that would never end by themselves. */
  readonly endStreams: () => void;
  /** Background work, stopped when no request can add to it any more. */
  readonly background: readonly (() => Promise<unknown>)[];
  readonly close: () => Promise<void>;
}

export interface StopHandle {
  /** Stops in order, in limited time. A second call does not wait for load balancers any longer. */
  stop(): Promise<void>;
}

export function stopping({ draining, drainMs, listening, endStreams, background, close }: StopSteps): StopHandle {
  const hurry = new AbortController();
  let stopped: Promise<void> | null = null;

  const inOrder = async (): Promise<void> => {
    draining.begin();
    if (drainMs > 0) {
      await sleep(drainMs, undefined, { signal: hurry.signal }).catch(() => undefined);
      await draining.untilQuiet(hurry.signal);
    }
    endStreams();
    await listening.close();
    await atMost(STEP_MS, Promise.allSettled(background.map((end) => end())));
    await atMost(STEP_MS, close());
  };
  return {
    stop() {
      if (stopped === null) stopped = inOrder();
      else hurry.abort();
      return stopped;
    },
  };
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: enough.signal }).catch(() => undefined)]);
  enough.abort();
}
