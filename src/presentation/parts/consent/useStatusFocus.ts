import { useEffect, useRef, type RefObject } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';

/**
 * For a screen that shows several states: announces the heading of each new state, and focuses it when the person acted on the
 * previous state. `waiting` is the state without actions.
 */
export function useStatusFocus(root: RefObject<HTMLElement | null>, status: string, waiting: string): void {
  const { announce } = useWidget();
  const before = useRef(status);
  const acted = useRef(false);
  useEffect(() => {
    if (before.current === status) return;
    if (before.current !== waiting) acted.current = true;
    before.current = status;
    if (status === waiting) return;
    const heading = root.current?.querySelector<HTMLElement>('h1');
    if (acted.current) heading?.focus();
    acted.current = false;
    announce(heading?.textContent ?? '');
  }, [root, status, waiting, announce]);
}
