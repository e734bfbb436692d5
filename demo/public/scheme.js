/*
 * The dark switch of the demo's header. A classic script in the head, so that the first paint has the chosen scheme.
 *
 * The choice is stored under the key and with the values of the documentation's switch (VitePress): 'light', 'dark', or 'auto' for
 * that of the system. On a page whose script tag has `data-in-address`, the parameter `scheme` of the address wins until the switch is used.
 */
(() => {
  const KEY = 'vitepress-theme-appearance';
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  /** The containers of widgets that got their scheme here, and not from their own styles. */
  const followers = new WeakSet();

  const address = new URL(location.href);
  const isInAddress = document.currentScript?.hasAttribute('data-in-address') && address.searchParams.has('scheme');

  const stored = () => {
    if (isInAddress) return address.searchParams.get('scheme');
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const isDark = () => {
    const choice = stored();
    return choice === 'dark' || (choice !== 'light' && system.matches);
  };

  /** A widget follows the system. Where the page does not, its container says so. */
  const mark = (container) => {
    const isChosen = isDark() !== system.matches;
    const scheme = isDark() ? 'dark' : 'light';
    if (!followers.has(container) && container.hasAttribute('data-portico-scheme')) return;
    if (isChosen) {
      followers.add(container);
      if (container.dataset.porticoScheme !== scheme) container.dataset.porticoScheme = scheme;
    } else if (followers.delete(container)) delete container.dataset.porticoScheme;
  };
  const OBSERVED = { subtree: true, childList: true, attributeFilter: ['data-portico-scheme', 'data-portico-preset'] };
  const observer = new MutationObserver(() => markAll());
  const seen = new WeakSet();
  const markAll = () => {
    const shadow = document.querySelector('#widget')?.shadowRoot;
    if (shadow && !seen.has(shadow)) {
      seen.add(shadow);
      observer.observe(shadow, OBSERVED);
    }
    for (const root of [document, shadow]) {
      for (const { parentElement } of root?.querySelectorAll('[data-portico]') ?? []) {
        if (parentElement) mark(parentElement);
      }
    }
  };

  const show = () => {
    root.dataset.scheme = isDark() ? 'dark' : 'light';
    const button = document.querySelector('#scheme');
    if (button) {
      button.hidden = false;
      button.setAttribute('aria-checked', String(isDark()));
    }
    markAll();
  };
  const flip = () => {
    const next = !isDark();
    try {
      localStorage.setItem(KEY, next === system.matches ? 'auto' : next ? 'dark' : 'light');
    } catch {
      // The browser stores nothing for this page: the choice cannot be kept.
    }
    if (isInAddress) {
      address.searchParams.delete('scheme');
      location.replace(address);
    } else show();
  };

  show();
  system.addEventListener('change', show);
  addEventListener('storage', ({ key }) => {
    if (key === KEY) show();
  });
  document.addEventListener('DOMContentLoaded', () => {
    document.querySelector('#scheme')?.addEventListener('click', flip);
    show();
    observer.observe(document.body, OBSERVED);
  });
})();
