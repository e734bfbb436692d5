/** How long a widget may take over the focus of the one that it replaces. */
const SWAP_MS = 1_000;

let leftAt = -SWAP_MS;

/** Call this before an element is removed: if the focus was inside, the widget that replaces it gets the focus. */
export function leaveFocus(element: Element): void {
  if (element.contains((element.getRootNode() as Document).activeElement)) leftAt = performance.now();
}

/** Whether the focus was in an element that has just been removed. */
export const isFocusLeft = (): boolean => performance.now() - leftAt < SWAP_MS;
