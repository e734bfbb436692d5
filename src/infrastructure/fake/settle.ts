import { pendingLoads } from '../../domain/code-loads.ts';

/** Read when the module loads, so that a test runner's fake timers cannot replace them. */
const { setImmediate, setTimeout, clearTimeout, MessageChannel } = globalThis as Pick<
  typeof globalThis,
  'setTimeout' | 'clearTimeout' | 'MessageChannel'
> & { readonly setImmediate?: (task: () => void) => unknown };

/** How long, in real time, a load of code is waited for. One that takes longer never ends. */
const MAX_LOAD_MS = 10_000;

/** Resolves after all promises that need neither a timer nor the network have settled, and the code has arrived that is being loaded. */
export async function settle(): Promise<void> {
  await turn();
  // What has arrived may load more.
  while (pendingLoads.size > 0 && (await loadsEnd())) await turn();
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

/** Resolves with true when the pending loads have ended, and with false if that takes too long. */
async function loadsEnd(): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_LOAD_MS);
  });
  const ended = Promise.allSettled(pendingLoads).then(() => true);
  const result = await Promise.race([ended, limit]);
  clearTimeout(timer);
  return result;
}
