import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** A little longer than the transition in theme/parts/emailed.css. */
const MOVE_MS = 270;

/** A resize later than this after a change of screen has another cause. On a busy device the first resize may come later: it still counts. */
const SCREEN_MS = 100;

/** Calls back after the layout of the next frame. */
function afterLayout(done: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(done));
}

/** Animates the card's height from one value to another, then lets the content determine it again. */
function move(card: HTMLElement, from: number, to: number): () => void {
  const set = (moves: string, height: number): void => {
    card.dataset['moves'] = moves;
    card.style.setProperty('--p-height', `${height}px`);
  };
  set('from', from);
  // Forces a layout, because a transition starts from the last layout.
  void card.offsetHeight;
  set('to', to);
  const rest = (): void => {
    clearTimeout(timer);
    delete card.dataset['moves'];
    card.style.removeProperty('--p-height');
  };
  const timer = setTimeout(rest, MOVE_MS);
  return rest;
}

/**
 * Moves the card's height when its screen changes. The sizes come from a ResizeObserver, after the browser's own layout and before
 * it paints, so nothing is measured at the first paint, and the new height does not flash.
 */
export function useGentleHeight(card: RefObject<HTMLElement | null>, screen: string): void {
  const isNew = useRef(false);
  const lastScreen = useRef(screen);
  useLayoutEffect(() => {
    if (lastScreen.current === screen) return undefined;
    lastScreen.current = screen;
    isNew.current = true;
    let isOver = false;
    const timer = setTimeout(() => {
      afterLayout(() => {
        if (!isOver) isNew.current = false;
      });
    }, SCREEN_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [screen]);
  useEffect(() => {
    const element = card.current;
    const content = element?.firstElementChild;
    const view = element?.ownerDocument.defaultView;
    if (!element || !content || !view?.ResizeObserver) return undefined;
    const still = view.matchMedia('(prefers-reduced-motion: reduce)');
    let last: ResizeObserverSize | undefined;
    let rest: (() => void) | undefined;
    const observer = new view.ResizeObserver(([entry]) => {
      const size = entry?.borderBoxSize[0];
      const before = last;
      last = size;
      // The width changes with the window, which needs no animation.
      if (!size || !isNew.current || still.matches || before?.inlineSize !== size.inlineSize) return;
      const edges = element.offsetHeight - element.clientHeight;
      const from = element.dataset['moves'] === undefined ? before.blockSize + edges : element.offsetHeight;
      rest?.();
      rest = move(element, from, size.blockSize + edges);
    });
    observer.observe(content, { box: 'border-box' });
    return () => {
      observer.disconnect();
      rest?.();
    };
  }, [card]);
}
