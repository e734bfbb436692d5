/** A key of React, or of the browser. */
type Key = Pick<KeyboardEvent, 'key' | 'preventDefault' | 'stopPropagation'>;

/** Acts at Escape, and ends the key: one press closes one thing, so a dialog around the widget stays open. */
export function onEscape(event: Key, act: () => void): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
