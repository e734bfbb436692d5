import { pendingLoads } from '../../src/domain/code-loads.ts';

/** Read when the module loads, so that a test runner's fake timers cannot replace them. */
const { setImmediate, setTimeout, clearTimeout, MessageChannel } = globalThis as Pick<
  typeof globalThis,
  'setTimeout' | 'clearTimeout' | 'MessageChannel'
> & { readonly setImmediate?: (task: () => void) => unknown };

/** How long, in real time, a load of code is waited for. */
const MAX_LOAD_MS = 10_000;
/** The loads that took longer. Nothing waits for them any more. */
const endless = new WeakSet<Promise<unknown>>();
const awaited = (): readonly Promise<unknown>[] => [...pendingLoads].filter((load) => !endless.has(load));

/** Resolves after all promises that need neither a timer nor the network have settled, and the code has arrived that is being loaded. */
export async function settle(): Promise<void> {
  await turn();
  // What has arrived may load more.
  for (let loads = awaited(); loads.length > 0; loads = awaited()) {
    await waitForLoads(loads);
    await turn();
  }
}

/** Resolves in the next turn of the event loop. */
async function turn(): Promise<void> {
  if (typeof setImmediate === 'function') {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return;
  }
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve());
    port1.start();
    port2.postMessage(null);
  });
  port1.close();
}

/** Resolves when the loads have ended, or have taken too long. */
async function waitForLoads(loads: readonly Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      for (const load of loads) if (pendingLoads.has(load)) endless.add(load);
      resolve();
    }, MAX_LOAD_MS);
  });
  await Promise.race([Promise.allSettled(loads), limit]);
  clearTimeout(timer);
}
