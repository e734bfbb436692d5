/** Read when the module loads, so that a test runner's fake timers cannot replace them. */
const { setImmediate, MessageChannel } = globalThis as typeof globalThis & {
  readonly setImmediate?: (task: () => void) => unknown;
};

/** Resolves after all promises that need neither a timer nor the network have settled. */
export async function settle(): Promise<void> {
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
