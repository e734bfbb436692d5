/** True if the key belongs to an input method. In Safari the Enter that ends a composition comes after its end, with this code. */
// oxlint-disable-next-line typescript/no-deprecated -- nothing else tells it in Safari
export const isComposed = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;

/** True if the key types or deletes a character, or submits a form. */
function isTyped(event: KeyboardEvent): boolean {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (isComposed(event)) return true;
  if (!/^(?:.|Backspace|Dead|Delete|Enter)$/u.test(key)) return false;
  // With AltGr, Windows also reports Ctrl and Alt.
  return !(ctrlKey || altKey || metaKey) || event.getModifierState('AltGraph');
}

/**
 * Hides the keys that are typed into the widget from the page, which could treat them as shortcuts: outside a shadow root, the host element
 * is the target of every key. Other keys pass, such as Tab, Escape and the arrows, for the page's focus traps and dialogs.
 */
export function keepTypedKeys(widget: HTMLElement): void {
  const codes = new Set<string>();
  widget.addEventListener('keydown', (event) => {
    codes.delete(event.code);
    if (!isTyped(event)) return;
    codes.add(event.code);
    event.stopPropagation();
  });
  widget.addEventListener('keypress', (event) => isTyped(event) && event.stopPropagation());
  // The page gets the end of each key whose beginning it got.
  widget.addEventListener('keyup', (event) => codes.delete(event.code) && event.stopPropagation());
}

/**
 * Keeps the events of the widget's fields from a form of the page that contains the widget or its shadow root. Of the keys, a form handles
 * Enter. The fields themselves are in forms of the widget, or in none.
 */
export function keepFromForm(widget: HTMLElement): void {
  const keep = (event: Event): void => {
    const { key = 'Enter' } = event as Partial<KeyboardEvent>;
    const path = event.composedPath();
    const around = path.slice(path.indexOf(widget));
    if (key === 'Enter' && around.some((one) => (one as Partial<Element>).localName === 'form'))
      event.stopPropagation();
  };
  for (const type of ['submit', 'input', 'change', 'keydown', 'keypress', 'keyup']) widget.addEventListener(type, keep);
}
