/** The page is built only from elements and text, so that it works under Trusted Types. */

type Child = Node | string | null;

interface Properties {
  readonly class?: string;
  readonly id?: string;
  readonly hidden?: boolean;
  /** Attributes by their own names. */
  readonly set?: Readonly<Record<string, string>>;
  readonly onClick?: () => void;
}

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (properties.class !== undefined) element.className = properties.class;
  if (properties.id !== undefined) element.id = properties.id;
  if (properties.hidden !== undefined) element.hidden = properties.hidden;
  for (const [name, value] of Object.entries(properties.set ?? {})) element.setAttribute(name, value);
  if (properties.onClick) element.addEventListener('click', properties.onClick);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button that ignores presses while its action is pending. */
export function button(label: string, style: 'primary' | 'quiet', act: () => Promise<void> | void): HTMLButtonElement {
  const made = el('button', { class: style, set: { type: 'button' } }, label);
  made.addEventListener('click', () => {
    if (made.getAttribute('aria-disabled') === 'true') return;
    made.setAttribute('aria-disabled', 'true');
    void Promise.resolve(act()).finally(() => made.removeAttribute('aria-disabled'));
  });
  return made;
}

/** An element that only some pages have. */
export const maybePart = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`#${id}`);

/** An element that every page's HTML contains. */
export function part(id: string): HTMLElement {
  const found = maybePart(id);
  if (!found) throw new Error(`The page has no #${id}`);
  return found;
}

/** Removes the placeholder that the page shows while the widget's code loads. */
export function endLoading(): void {
  for (const one of document.querySelectorAll('[data-skeleton]')) one.remove();
}

/** The time of day (`clock`), or date and time (`full`), in the visitor's format. */
export function timeOf(at: string, style: 'clock' | 'full'): HTMLTimeElement {
  const date = new Date(at);
  const options: Intl.DateTimeFormatOptions =
    style === 'clock' ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' };
  const text = Number.isNaN(date.getTime()) ? at : new Intl.DateTimeFormat(undefined, options).format(date);
  return el('time', { set: { datetime: at } }, text);
}
