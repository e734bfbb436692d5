/** For how long what comes in another's place may take over its focus. */
const SWAP_MS = 1_000;

let leftAt = -SWAP_MS;

/** To be called before an element is taken away: whoever had the focus in it goes on in what comes in its place. */
export function leaveFocus(element: Element): void {
  if (element.contains((element.getRootNode() as Document).activeElement)) leftAt = performance.now();
}

/** Whether the focus was in what has just been taken away. */
export const isFocusLeft = (): boolean => performance.now() - leftAt < SWAP_MS;
