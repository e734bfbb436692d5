/** Whether a form of the host is around the element, or around the shadow root in which it is. */
const isInForm = (element: Element | null | undefined): boolean =>
  Boolean(element && (element.closest('form') ?? isInForm((element.getRootNode() as Partial<ShadowRoot>).host)));

/**
 * Keeps the events of the widget's fields from a form around it. Of the keys a form takes Enter; Escape and others are for the page. The
 * fields themselves are in forms of the widget, or in none, before this has loaded, too.
 */
export function keepFromForm(card: Element, signal: AbortSignal): void {
  // React listens at this element, and has heard the event before.
  const root = card.closest('[data-portico]')?.parentElement;
  const keep = (event: Event): void => {
    const { key = 'Enter' } = event as Partial<KeyboardEvent>;
    if (key === 'Enter' && isInForm(root)) event.stopPropagation();
  };
  for (const type of ['submit', 'input', 'change', 'keydown', 'keypress', 'keyup'])
    root?.addEventListener(type, keep, { signal });
}
