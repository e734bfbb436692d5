import { useEffect, useRef, type RefObject } from 'react';
import { useBeforePaint } from './before-paint.ts';
import { useWidget } from './useWidget.ts';

/** True when nothing outside the widget has the focus, so that the widget may move it. */
function mayTakeFocus(root: HTMLElement): boolean {
  const active = root.ownerDocument.activeElement;
  if (active === null || active === root.ownerDocument.body || root.contains(active)) return true;
  return active.shadowRoot !== null && active.shadowRoot === root.getRootNode();
}

/** Moves the focus here, unless something outside the widget has it. */
export function takeFocus(element: HTMLElement): void {
  const root = element.closest<HTMLElement>('[data-portico]');
  if (root !== null && mayTakeFocus(root)) element.focus();
}

/**
 * After every change of screen, except the widget's first: focuses the element marked `data-focus`, else the heading, and announces the
 * heading, or `title` if there is none. While `screen` is null nothing is shown.
 */
export function useScreenFocus(root: RefObject<HTMLElement | null>, screen: string | null, title: string): void {
  const { arrive, announce } = useWidget();
  const arrived = useRef(false);
  useBeforePaint(() => {
    if (screen === null || !arrive(screen)) return;
    arrived.current = true;
    const element = root.current;
    if (element !== null && mayTakeFocus(element)) {
      (
        element.querySelector<HTMLElement>('[data-focus]') ??
        element.querySelector<HTMLElement>('h1, :not([hidden])>form input')
      )?.focus();
    }
  }, [root, screen, arrive]);
  useEffect(() => {
    if (!arrived.current) return;
    arrived.current = false;
    announce(root.current?.querySelector('h1')?.textContent ?? title);
  }, [root, screen, title, announce]);
}
