/** What both kinds of visits share: the conditions of a visit, and the script that sees the field. */
import type { SlowNetwork } from './slow-network.ts';

/** The slowness of the processor, and the start of the three seconds in which requests are counted. */
export interface Conditions {
  readonly cpu: number;
  readonly countedAfter: 'navigation' | 'field';
}

/** A mid-range phone. */
export const SLOW_PHONE: Conditions = {
  cpu: 4,
  countedAfter: 'navigation',
};

/** A slow mobile network: 1.6 Mbit/s. */
export const SLOW_MOBILE: SlowNetwork = { latency: 150, bytesPerSecond: 1_600_000 / 8 };

/** How long a visit lasts, from the navigation or from the visible field. */
export const WATCHED_MS = 3_000;
/** Only a fault reaches it, also where other work keeps the machine busy. */
export const PATIENCE_MS = 120_000;

/**
 * Runs in the page before its own scripts, and calls `fieldVisible` of the page with the time in milliseconds. Checks every change of the document, also in shadow roots, including closed ones, without
 * waiting for a frame.
 */
export function watch(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  const isStyled = (): boolean =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null) &&
    // It paints nothing before the element to which this link refers, either.
    [...document.querySelectorAll('link[rel=expect]')].every((link) =>
      document.querySelector(link.getAttribute('href') ?? ''),
    );
  const isVisible = (field: Element): boolean => {
    // The browser paints nothing after a style sheet that is loading.
    if (!isStyled()) return false;
    const { width, height } = field.getBoundingClientRect();
    return width > 0 && height > 0 && field.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const observer = new MutationObserver(() => look());
  const look = (): void => {
    const field = roots
      .map((root) => root.querySelector('input[type=email], input[name=identifier]'))
      .find((found) => found !== null);
    if (!field) return;
    if (!isVisible(field)) return void requestAnimationFrame(look);
    observer.disconnect();
    (window as { fieldVisible?: (at: string) => void }).fieldVisible?.(String(performance.now()));
  };
  const changes = { childList: true, subtree: true };
  observer.observe(document, changes);
  type Attach = (this: Element, init: ShadowRootInit) => ShadowRoot;
  const attach: Attach = Reflect.get(Element.prototype, 'attachShadow');
  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    roots.push(root);
    observer.observe(root, changes);
    return root;
  };
}
