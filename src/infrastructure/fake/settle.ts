/** Taken when the module loads, so that a test runner's fake timers do not stop it. */
const { setImmediate, MessageChannel } = globalThis as typeof globalThis & {
  readonly setImmediate?: (task: () => void) => unknown;
};

/** Resolves when every promise that can settle without a timer or the network has settled. */
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
