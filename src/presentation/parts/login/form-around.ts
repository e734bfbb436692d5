/** Whether a form of the host is around the element, or around the shadow root in which it is. */
function isInForm(element: Element | undefined): boolean {
  if (element === undefined) return false;
  return element.closest('form') !== null || isInForm((element.getRootNode() as Partial<ShadowRoot>).host);
}

/** What a form hears of its own fields. */
const OF_FIELDS = ['submit', 'input', 'change', 'keydown', 'keypress', 'keyup'] as const;

/**
 * Keeps the events of the widget's fields from a form around it. Of the keys a form takes Enter; Escape and others are for the page. The
 * fields themselves are in forms of the widget, or in none, before this has loaded, too.
 */
export function keepFromForm(root: Element, signal: AbortSignal): void {
  const keep = (event: Event): void => {
    const { key = 'Enter' } = event as Partial<KeyboardEvent>;
    if (key === 'Enter' && isInForm(root)) event.stopPropagation();
  };
  for (const type of OF_FIELDS) root.addEventListener(type, keep, { signal });
}
