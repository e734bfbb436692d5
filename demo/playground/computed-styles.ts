import { el, maybePart } from '../parts/dom.ts';

/** Colours as `#rrggbb` and corners as `8px`, by the name of their property; null for an unreadable value. */
export type ComputedStyles = ReadonlyMap<string, string | null>;

/** The page's element for the widget, and its shadow root, if any. */
function places(): readonly (Element | ShadowRoot)[] {
  const place = maybePart('login');
  const shadows = [...(maybePart('widget')?.children ?? [])].map(({ shadowRoot }) => shadowRoot);
  return [place, ...shadows].filter((one) => one !== null);
}

const hex = (channel: string): string => Number(channel).toString(16).padStart(2, '0');

/** A colour in the format of a colour field, which has no transparency. */
function hexOf(color: string): string | null {
  const [, ...channels] = /^rgba?\((\d+), (\d+), (\d+)(?:, [\d.]+)?\)$/u.exec(color) ?? [];
  return channels.length === 0 ? null : `#${channels.map(hex).join('')}`;
}

/**
 * Reads colours and corners of the widget's own properties, such as `--p-card`: in the present preset and scheme. Empty without a
 * widget.
 */
export function readDrawn(names: readonly string[]): ComputedStyles {
  const [at] = places().flatMap((place) => [...place.querySelectorAll<HTMLElement>('[data-portico]')]);
  if (at === undefined) return new Map();
  const probe = el('i', { hidden: true });
  at.append(probe);
  const drawn = names.map((name): [string, string | null] => {
    const isRadius = name.endsWith('radius');
    probe.style.setProperty(isRadius ? 'border-start-start-radius' : 'background-color', `var(${name})`, 'important');
    const { backgroundColor, borderStartStartRadius } = getComputedStyle(probe);
    return [name, isRadius ? borderStartStartRadius : hexOf(backgroundColor)];
  });
  probe.remove();
  return new Map(drawn);
}

/** Calls back after a change of the widget, preset or scheme. */
export function followDrawn(changed: () => void): void {
  const what = {
    subtree: true,
    childList: true,
    attributeFilter: ['style', 'data-portico-preset', 'data-portico-scheme'],
  };
  const observer = new MutationObserver(() => follow());
  const follow = () => {
    for (const place of places()) observer.observe(place, what);
    changed();
    // Reading changes the page, too.
    observer.takeRecords();
  };
  follow();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow);
}
