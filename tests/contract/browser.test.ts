import { describe, expect, it } from 'vitest';
import { FakeBrowser } from '#kit/ports/fake-browser.ts';
import { browserContract } from './browser.contract.ts';

browserContract({ describe, it, expect }, 'FakeBrowser', () => {
  const browser = new FakeBrowser('https://app.example.com/login?token=t&stytch_token_type=magic_links');
  const framed = new FakeBrowser();
  framed.isFramed = true;
  return {
    browser,
    again: browser,
    onTop: browser,
    framed,
    wakes: [() => browser.wake()],
    leave: () => browser.leave(),
    navigations: () => browser.navigations,
    historyLength: () => 1,
  };
});
