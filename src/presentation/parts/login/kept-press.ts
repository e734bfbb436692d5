/** If the pointer moves further than this, it counts as dragging. */
const SLACK_PX = 10;

interface Press {
  readonly button: HTMLElement;
  /** Where the pointer was. */
  readonly x: number;
  readonly y: number;
  /** Where the button was. */
  readonly place: DOMRect;
}

const isButton = (target: EventTarget): target is HTMLElement =>
  'matches' in target && (target as Element).matches('button, a, summary');

/**
 * Applies a press to the button on which it began, until the signal is aborted. An answer that arrives during the press can move the button
 * away. Then the browser would click on what is under the pointer: nothing, or another button.
 */
export function keepPresses(widget: HTMLElement, signal: AbortSignal): void {
  let press: Press | null = null;
  const listen = (type: 'pointerdown' | 'pointercancel' | 'click', listener: (event: MouseEvent) => void): void =>
    widget.ownerDocument.addEventListener(type, listener, { capture: true, signal });

  listen('pointerdown', (event) => {
    const button = event.composedPath().find(isButton);
    const isOurs = button !== undefined && event.button === 0 && widget.contains(button);
    press = isOurs ? { button, x: event.clientX, y: event.clientY, place: button.getBoundingClientRect() } : null;
  });
  listen('pointercancel', () => {
    press = null;
  });
  listen('click', (event) => {
    const began = press;
    press = null;
    // Keys and programs click without a pointer.
    if (began === null || event.detail === 0) return;
    const { button, x, y, place } = began;
    if (!button.isConnected || event.composedPath().includes(button)) return;
    const { left, top } = button.getBoundingClientRect();
    const isMoved = left !== place.left || top !== place.top;
    if (!isMoved || Math.hypot(event.clientX - x, event.clientY - y) > SLACK_PX) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.click();
  });
}
