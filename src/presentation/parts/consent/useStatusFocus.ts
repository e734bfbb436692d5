import { useEffect, useRef, type RefObject } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';

/**
 * Where one screen shows one thing after another: announces the new heading, and focuses it where the person acted on
 * what stood there before. `waiting` is what nobody acts on.
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
