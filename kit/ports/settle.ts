import { pendingLoads } from '#domain/code-loads.ts';

/** Read when the module loads, so that a test runner's fake timers cannot replace them. */
const { setImmediate, setTimeout, clearTimeout, MessageChannel } = globalThis as Pick<
  typeof globalThis,
  'setTimeout' | 'clearTimeout' | 'MessageChannel'
> & { readonly setImmediate?: (task: () => void) => unknown };

/** The maximum real time to wait for a load of code. */
const MAX_LOAD_MS = 10_000;
/** The loads that took longer, for which nothing waits any more. */
const endless = new WeakSet<Promise<unknown>>();
const awaited = (): readonly Promise<unknown>[] => [...pendingLoads].filter((load) => !endless.has(load));

/** Resolves when all promises that need neither a timer nor the network have settled, and all pending code has loaded. */
export async function settle(): Promise<void> {
  await turn();
  // The loaded code may load more.
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

/** Resolves when the loads have ended or taken too long. */
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
