const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown'] as const;
/** A page that is never idle waits no longer than this. */
const PATIENCE_MS = 2_000;

/**
 * Calls back once: when the page is idle, or as soon as somebody points at the element, focuses something in it or types
 * there. The returned function ends the wait.
 */
export function whenWanted(element: HTMLElement, run: () => void): () => void {
  const listening = new AbortController();
  const start = (): void => {
    if (listening.signal.aborted) return;
    listening.abort();
    run();
  };
  for (const sign of SIGNS) element.addEventListener(sign, start, { signal: listening.signal, passive: true });
  // Safari has no idle callback; a timer comes after the first paint, too.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(start, { timeout: PATIENCE_MS });
  else setTimeout(start);
  return () => listening.abort();
}
