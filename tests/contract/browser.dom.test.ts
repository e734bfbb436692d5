import { describe, expect, it, vi } from 'vitest';
import { WindowBrowser } from '#infrastructure/browser/window-browser.ts';
import { browserContract } from './browser.contract.ts';

/** The environment lays no frames out: a window of the same document that is not its own top. */
const frameOf = (top: Window): Window =>
  Object.create(top, { self: { value: {} }, document: { value: top.document } }) as Window;

browserContract({ describe, it, expect }, 'WindowBrowser on the environment’s window', () => {
  history.replaceState(null, '', '/login?token=t&stytch_token_type=magic_links');
  const navigations: string[] = [];
  vi.spyOn(location, 'assign').mockImplementation((url) => void navigations.push(String(url)));
  return {
    browser: new WindowBrowser(window),
    again: new WindowBrowser(window),
    onTop: new WindowBrowser(window),
    framed: new WindowBrowser(frameOf(window)),
    wakes: [
      () => document.dispatchEvent(new Event('visibilitychange')),
      () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
      () => window.dispatchEvent(new Event('online')),
    ],
    leave: () => window.dispatchEvent(new Event('pagehide')),
    navigations: () => navigations,
    historyLength: () => history.length,
    dispose: () => void vi.restoreAllMocks(),
  };
});
