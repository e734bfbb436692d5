import { useEffect, useRef, type RefObject } from 'react';

/** True when nothing outside the widget holds the focus, so that moving it takes it from nobody. */
function mayTakeFocus(root: HTMLElement): boolean {
  const active = root.ownerDocument.activeElement;
  if (active === null || active === root.ownerDocument.body || root.contains(active)) return true;
  return active.shadowRoot !== null && active.shadowRoot === root.getRootNode();
}

/**
 * On every change of screen, not on the first: focuses the element marked `data-focus`, else the heading, and calls
 * `changed`.
 */
export function useScreenFocus(root: RefObject<HTMLElement | null>, screen: string, changed: () => void): void {
  const shown = useRef(screen);
  const latest = useRef(changed);
  useEffect(() => {
    latest.current = changed;
  });
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    const element = root.current;
    if (element !== null && mayTakeFocus(element)) {
      (element.querySelector<HTMLElement>('[data-focus]') ?? element.querySelector<HTMLElement>('h1, input'))?.focus();
    }
    latest.current();
  }, [root, screen]);
}
