import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '#provider/base/log/error-log.ts';
import type { NoticeServices } from './services.ts';
import { tellDue } from './tell.ts';

const EVERY_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Runs a task every second until it is stopped; less often while it fails. */
export function startNotices(
  services: NoticeServices & { readonly report: Report },
  everyMs = EVERY_MS,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        while ((await tellDue(services)) > 0 && !stopping.signal.aborted);
        failures = 0;
      } catch (error) {
        if (failures === 0) services.report(error, { where: 'notices' });
        failures += 1;
      }
      const pause = Math.min(everyMs * 2 ** failures, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
