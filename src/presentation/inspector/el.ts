/** The panel is built only from elements and texts, so that it works without React and under Trusted Types. */

type Child = Node | string | null;

interface Properties {
  readonly class?: string;
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
  if (properties.hidden !== undefined) element.hidden = properties.hidden;
  for (const [name, value] of Object.entries(properties.set ?? {})) element.setAttribute(name, value);
  if (properties.onClick) element.addEventListener('click', properties.onClick);
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function button(label: string, onClick: () => void, look = ''): HTMLButtonElement {
  return el('button', { class: look, set: { type: 'button' }, onClick }, label);
}

/**
 * A named group of the panel with a visible title. Titles are not headings, because those would appear in the outline of the host's page,
 * whose levels the panel does not know.
 */
export function group(name: string, title: string): readonly [element: HTMLElement, title: HTMLElement] {
  const set = { role: 'group', 'aria-label': title };
  return [el('section', { class: name, set }), el('p', { class: 'title' }, title)];
}

/** Sets the text only if it differs, so that a selection stays and nothing is announced again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
