import { useRef, type FocusEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { takeFocus } from '../../hooks/focus.ts';

/**
 * When the row with the focus disappears, the heading of its section gets the focus. The result is for the element around the rows.
 *
 * @param rows a value that changes with the rows
 */
export function useRowFocus(rows: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  useBeforePaint(() => {
    if (focused.current?.isConnected !== false) return;
    focused.current = null;
    const heading = list.current?.closest('section')?.querySelector('h2');
    if (heading) takeFocus(heading);
  }, [rows]);
  return {
    ref: list,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => void (focused.current = target),
    onBlur: (): void => void (focused.current = null),
  };
}
