import type { FixtureAction } from './fixture.ts';

/** What an act is done to; an act that finds nothing would show a state that is not the fixture's. */
function find(root: HTMLElement | ShadowRoot, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`A fixture acts on ${selector}, and there is none.`);
  return found;
}

/** Whether what the act is done to is there. */
export const isThere = (root: ParentNode, { click, type, focus }: FixtureAction): boolean =>
  [focus, click, type?.[0]].every((selector) => selector === undefined || root.querySelector(selector) !== null);

export function act(root: HTMLElement | ShadowRoot, { click, type, focus }: FixtureAction): void {
  if (focus) find(root, focus).focus({ preventScroll: true });
  if (click) find(root, click).click();
  if (type) {
    const field = find(root, type[0]);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, type[1]);
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
}
