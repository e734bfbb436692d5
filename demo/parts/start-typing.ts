/**
 * Gives the focus to the first field of the login form that was mounted into `place`, as soon as the form shows, so that nothing is lost of
 * what is typed. The widget gives the focus to its heading and announces it; from there it goes on.
 */
export function startTyping(place: HTMLElement): void {
  // Nothing outside of a shadow root sees what changes in it.
  const root = place.firstElementChild?.shadowRoot ?? place;
  const ended = new AbortController();
  const start = (): void => root.querySelector<HTMLElement>('form input')?.focus();
  const observer = new MutationObserver(start);
  observer.observe(root, { subtree: true, childList: true });
  ended.signal.addEventListener('abort', () => observer.disconnect());
  const listen = (type: string, listener: (event: Event) => void): void =>
    root.addEventListener(type, listener, { signal: ended.signal });
  listen('focusin', ({ target }) => {
    observer.disconnect();
    if (target instanceof HTMLHeadingElement) start();
  });
  // The next screen, and who chooses another place by pointer, have the focus for themselves.
  listen('submit', () => ended.abort());
  listen('pointerdown', () => ended.abort());
}
