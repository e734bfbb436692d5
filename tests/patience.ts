/**
 * How long a test waits for what it expects: so long that only a fault reaches it, on a machine that other work keeps busy. What comes
 * is noticed when it comes, so that nobody waits longer for it.
 */
import { afterAll, vi } from 'vitest';
import { PATIENCE_MS } from './patience-ms.ts';

type Wait = typeof vi.waitFor;
const waits = vi as { waitFor: Wait & { isPatient?: true } };

// vitest has no setting for these. The files of a worker share them.
if (!waits.waitFor.isPatient) {
  const brief = waits.waitFor;
  const patient: Wait = (callback, options) => {
    const { interval } = typeof options === 'object' ? options : {};
    return brief(callback, { timeout: PATIENCE_MS, ...(interval === undefined ? {} : { interval }) });
  };
  waits.waitFor = Object.assign(patient, { isPatient: true as const });
}

// vitest restores spies before the next test, which is too late for the start of the next file.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
