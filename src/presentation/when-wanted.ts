/**
 * Calls back once: when the page is idle, or as soon as somebody points at the element, focuses something in it or types
 * there. The returned function ends the wait.
 */
export function whenWanted(element: HTMLElement, run: () => void): () => void {
  const wait = new AbortController();
  const { signal } = wait;
  const start = (): void => {
    if (signal.aborted) return;
    wait.abort();
    run();
  };
  for (const sign of ['pointerover', 'focusin', 'keydown']) element.addEventListener(sign, start, { signal });
  // Safari has no idle callback; a timer comes after the first paint, too.
  (window.requestIdleCallback ?? setTimeout)(start);
  return () => wait.abort();
}
