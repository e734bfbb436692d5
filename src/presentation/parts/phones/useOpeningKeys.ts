import { useEffect, type RefObject } from 'react';

/** Opens a list from its button like a native list: with the arrow keys, and by typing the search text. */
export function useOpeningKeys(button: RefObject<HTMLElement | null>, open: (search: string) => void): void {
  useEffect(() => {
    const element = button.current;
    const press = (event: KeyboardEvent): void => {
      const { key } = event;
      const arrow = key === 'ArrowDown' || key === 'ArrowUp';
      const isPrintable = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!arrow && !isPrintable) return;
      event.preventDefault();
      open(isPrintable ? key : '');
    };
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, [button, open]);
}
