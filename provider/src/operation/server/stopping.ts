import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import type { ListeningServer } from './listen.ts';

/** The longest time, in milliseconds, for the background work to stop and the database to close. */
const STEP_MS = 5_000;

export interface StopSteps {
  readonly draining: ConnectionDrain;
  /** How long the server still accepts requests, so that load balancers notice that it stops. */
  readonly drainMs: number;
  readonly listening: ListeningServer;
  /** Ends the responses that have no end of their own. */
  readonly endStreams: () => void;
  /** Background work, stopped once no request can add to it. */
  readonly background: readonly (() => Promise<unknown>)[];
  readonly close: () => Promise<void>;
}

export interface StopHandle {
  /** Stops in order, in limited time. After a second call it no longer waits for load balancers. */
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
