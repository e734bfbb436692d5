import { openDatabase } from '../../provider/src/base/db/open.ts';
import { NO_METRICS } from '../../provider/src/base/metrics/metrics.ts';
import { systemRandom, type Clock } from '../../provider/src/base/platform.ts';
import { temporaryKeys } from '../../provider/src/base/security/server-keys.ts';
import type { Services } from '../../provider/src/api/services.ts';
import { InboxHub } from '../../provider/src/messages/inbox-hub.ts';
import { DEFAULT_LIMITS } from '../../provider/src/project/settings/limits.ts';
import { DEMO_PROJECT } from '../../provider/src/project/settings/project.ts';

/** What a provider of the demo project works with, on a database in memory, which the caller ends. An error that it reports is thrown. */
export async function memoryServices(clock: Clock): Promise<Services> {
  return {
    db: await openDatabase({ kind: 'memory' }),
    clock,
    random: systemRandom,
    keys: await temporaryKeys(),
    project: DEMO_PROJECT,
    limits: DEFAULT_LIMITS,
    inbox: new InboxHub(),
    metrics: NO_METRICS,
    dev: true,
    report: (error) => {
      throw error;
    },
  };
}
