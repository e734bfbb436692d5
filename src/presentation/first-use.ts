/** The events that show that a person is about to use a widget. Assistive technology may send only the click. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input', 'click'] as const;

/**
 * Calls back at each such event, until the signal is aborted. It runs before React's listeners, so that the styles for a press are there in
 * time.
 */
export function onSign(widget: HTMLElement, callback: () => void, signal: AbortSignal): void {
  for (const type of SIGNS) widget.addEventListener(type, callback, { signal, passive: true, capture: true });
}

/** The delay after the paint in a browser without idle callbacks (Safari). */
const NO_IDLE_MS = 200;

/** The longest wait on a page that is never idle. Passkeys in the field and One Tap wait for this. */
const BUSY_MS = 2_000;

/**
 * Calls back once, after the widget has been painted: when the page is idle, or as soon as a person points at the widget, focuses
 * an element in it or types. The returned function cancels.
 */
export function onFirstUse(widget: HTMLElement, callback: () => void): () => void {
  const { defaultView: window } = widget.ownerDocument;
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
    onSign(widget, end, signal);
    const idle = window.requestIdleCallback as typeof window.requestIdleCallback | undefined;
    if (idle) idle.call(window, end, { timeout: BUSY_MS });
    else window.setTimeout(end, NO_IDLE_MS);
  };
  // A frame is painted after its callbacks run, so an element that a callback finds has been painted by the next frame.
  const look = (): void => {
    if (signal.aborted) return;
    window.requestAnimationFrame(widget.dataset['state'] === 'ready' ? wait : look);
  };
  look();
  return () => ending.abort();
}
