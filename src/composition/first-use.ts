/** What somebody does who is about to use a widget. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'] as const;

/** Where the browser tells of no idle time, this long after the form was painted. */
const NO_IDLE_MS = 200;

const isShown = (container: Element): boolean => container.querySelector('[data-state="ready"]') !== null;

/**
 * Calls back once the widget in the container has been painted, and then the page is idle or somebody points at it, focuses
 * or types in it, whichever is first. Answers a function that ends the wait.
 */
export function onFirstUse(container: HTMLElement, callback: () => void): () => void {
  const { defaultView: window } = container.ownerDocument;
  const ending = new AbortController();
  const { signal } = ending;
  if (window === null) return () => undefined;

  const end = (): void => {
    if (signal.aborted) return;
    ending.abort();
    callback();
  };
  const wait = (): void => {
    if (signal.aborted) return;
    for (const type of SIGNS) container.addEventListener(type, end, { signal, passive: true });
    // Safari has no idle callbacks.
    const idle = window.requestIdleCallback as typeof window.requestIdleCallback | undefined;
    if (idle) idle.call(window, end);
    else window.setTimeout(end, NO_IDLE_MS);
  };
  // A frame is painted after its callbacks: what is there in one has been painted by the next.
  const look = (): void => {
    if (signal.aborted) return;
    window.requestAnimationFrame(isShown(container) ? wait : look);
  };
  look();
  return () => ending.abort();
}
