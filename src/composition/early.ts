/**
 * `portico/early.js`, a classic script that a page with a prerendered login loads before the form. Until the widget has loaded, it
 * remembers the first press or Enter, shows it as in progress, and switches tabs. The widget then calls the function that this script
 * leaves on the page, which repeats the press. Without this script, a press before the widget has loaded has no effect.
 */
import { PRERENDERED } from '#domain/widget/prerendered.ts';
import { EARLY } from '#domain/widget/fingerprint.ts';
import { enter } from '#presentation/parts/mails/enter.ts';

/** Begins the takeover: restores the markup as it was rendered. The returned function applies what the person did to the widget. */
export type EarlyScript = (outer: Element) => (widget: Element) => void;

const MARKS = ['data-early', 'aria-busy'];
const presses = new Map<Element, HTMLElement>();
/** The tabs that were selected in the markup. */
const tabs = new Map<Element, HTMLElement>();

/** Identifies a field. A password has no name, so that no browser sends it. */
const keyOf = ({ name, autocomplete }: HTMLInputElement): string => name || autocomplete;

const selectedTab = (button: Element): HTMLElement | null =>
  button.parentElement?.querySelector<HTMLElement>('[aria-selected=true]') ?? null;

function select(tab: HTMLElement): void {
  const root = tab.getRootNode() as Document | ShadowRoot;
  const own = tab.getAttribute('aria-controls') ?? '';
  for (const one of tab.parentElement?.children ?? []) {
    one.setAttribute('aria-selected', String(one === tab));
    const panel = root.getElementById(one.getAttribute('aria-controls') ?? '');
    if (panel) panel.hidden = panel.id !== own;
  }
}

document.addEventListener(
  'click',
  (event) => {
    const path = event.composedPath().filter((one) => one instanceof HTMLElement);
    const outer = path.find((one) => one.hasAttribute(PRERENDERED));
    const button = path.find((one) => one instanceof HTMLButtonElement);
    if (!outer || !button) return;
    event.preventDefault();
    if (button.role === 'tab' || button.getAttribute('role') === 'tab') {
      const before = selectedTab(button);
      if (before && !tabs.has(outer)) tabs.set(outer, before);
      select(button);
    } else if (!presses.has(outer)) {
      presses.set(outer, button);
      for (const mark of MARKS) button.setAttribute(mark, 'true');
    }
  },
  true,
);

const take: EarlyScript = (outer) => {
  const before = outer.shadowRoot ?? outer;
  const fields = [...before.querySelectorAll('input')].map((field) => [keyOf(field), field.value] as const);
  const focused = (before.getRootNode() as Document | ShadowRoot).activeElement;
  const isInside = focused !== null && before.contains(focused);
  const { selectionStart: start = null, selectionEnd: end = null } = isInside ? (focused as HTMLInputElement) : {};
  const press = presses.get(outer);
  const rendered = tabs.get(outer);
  const activeTab = rendered && selectedTab(rendered);
  for (const mark of MARKS) press?.removeAttribute(mark);
  if (rendered) select(rendered);
  presses.delete(outer);
  tabs.delete(outer);

  return (widget) => {
    /** The element itself if the widget has adopted it, else the one with the same text. */
    const same = (button: HTMLElement): HTMLElement | undefined =>
      widget.contains(button)
        ? button
        : [...widget.querySelectorAll('button')].find(({ textContent }) => textContent === button.textContent);
    const fieldOf = (key: string) => [...widget.querySelectorAll('input')].find((field) => keyOf(field) === key);
    if (activeTab && activeTab !== rendered) same(activeTab)?.click();
    for (const [key, text] of fields) {
      const field = fieldOf(key);
      if (field && field.value !== text) enter(field, text);
    }
    if (isInside && (widget.getRootNode() as Document | ShadowRoot).activeElement !== focused) {
      const next = widget.contains(focused)
        ? (focused as HTMLInputElement)
        : fieldOf(keyOf(focused as HTMLInputElement));
      next?.focus({ preventScroll: true });
      if (start !== null) next?.setSelectionRange(start, end);
    }
    const button = press && same(press);
    if (!button) return;
    for (const mark of MARKS) button.setAttribute(mark, 'true');
    // The texts of the fields go into the widget's state first.
    setTimeout(() => {
      for (const mark of MARKS) button.removeAttribute(mark);
      button.click();
    });
  };
};

Object.assign(globalThis, { [Symbol.for(EARLY)]: take });
