import { describe, expect, it, vi } from 'vitest';
import { WindowBrowser } from '#infrastructure/browser/window-browser.ts';

describe('WindowBrowser', () => {
  it('does not take being hidden, or the first showing of the page, for waking', () => {
    let woken = 0;
    const subscription = new WindowBrowser(window).wakes$.subscribe(() => (woken += 1));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
    window.dispatchEvent(new Event('offline'));
    expect(woken).toBe(0);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(woken).toBe(1);
    subscription.unsubscribe();
  });

  it('leaves no listener behind', () => {
    const counts = { added: 0, removed: 0 };
    for (const target of [window, document] as const) {
      vi.spyOn(target, 'addEventListener').mockImplementation(() => void (counts.added += 1));
      vi.spyOn(target, 'removeEventListener').mockImplementation(() => void (counts.removed += 1));
    }
    const browser = new WindowBrowser(window);
    expect(counts.added).toBe(0);
    const subscriptions = [browser.wakes$.subscribe(), browser.leaves$.subscribe()];
    for (const subscription of subscriptions) subscription.unsubscribe();
    expect(counts).toEqual({ added: 4, removed: 4 });
  });

  it('opens a native app by a URI of its scheme', () => {
    const gone: string[] = [];
    const location = { assign: (url: string) => void gone.push(url) };
    const browser = new WindowBrowser(Object.create(window, { location: { value: location } }) as Window);
    browser.navigate('com.example.app:/callback?code=1');
    expect(gone).toEqual(['com.example.app:/callback?code=1']);
    for (const url of ['javascript:alert(1)', 'javascript:/alert(1)', 'myapp:/callback', 'com.example.app:callback'])
      expect(() => browser.navigate(url)).toThrow(RangeError);
    expect(gone).toHaveLength(1);
  });

  it('shows that a network is slow only where the browser does', () => {
    const slow = (connection: unknown): boolean =>
      new WindowBrowser(Object.create(window, { navigator: { value: { connection } } }) as Window).isSlow;
    expect([slow(undefined), slow({ effectiveType: '4g' }), slow({ effectiveType: 'slow-2g' })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('keeps the history entry’s state when it replaces the address', () => {
    history.replaceState({ router: 1 }, '', '/a?token=t');
    new WindowBrowser(window).replaceUrl('/a');
    expect([history.state, location.pathname + location.search]).toEqual([{ router: 1 }, '/a']);
  });

  it('shows that fields may offer passkeys only where the browser has the question', () => {
    const said = (PublicKeyCredential: unknown): boolean =>
      new WindowBrowser(Object.create(window, { PublicKeyCredential: { value: PublicKeyCredential } }) as Window)
        .mayAutofillPasskeys;
    expect(said(undefined)).toBe(false);
    expect(said(() => undefined)).toBe(false);
    expect(said(Object.create({ isConditionalMediationAvailable: async () => false }))).toBe(false);
    expect(said(Object.assign(() => undefined, { isConditionalMediationAvailable: async () => false }))).toBe(true);
  });
});
