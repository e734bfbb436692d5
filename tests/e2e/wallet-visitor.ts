/** What a visitor with a wallet does on the demo page. */
import type { Locator, Page } from '@playwright/test';
import { widget } from './visitor.ts';

export const ETHEREUM = 'Continue with other Ethereum wallet';
export const SOLANA = 'Continue with other Solana wallet';
export const OTHERS = 'Continue with other Crypto Wallet';

/** The parameter that mounts the widget with wallets. */
export const crypto = (config: object = { products: ['crypto'] }): string =>
  `config=${Buffer.from(JSON.stringify(config)).toString('base64url')}`;

export const wallet = (page: Page, name: string): Locator => widget(page).getByRole('button', { name });

/** The screens that were shown so far. */
export const allScreens = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    () => (window as unknown as { readonly __demo: { readonly screens: readonly string[] } }).__demo.screens,
  );

/** Writes down every heading and text of the widget: screens that wait for a wallet may be gone in a moment. */
export async function writeDown(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('#widget :is(h1, [data-part=text])')) {
        seen.add(element.textContent ?? '');
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => [...(window as unknown as { readonly seen: ReadonlySet<string> }).seen]);
}

/** One more wallet announces itself (EIP-6963), though nobody asks. */
export async function announceMetaMask(page: Page): Promise<void> {
  await page.evaluate(() => {
    const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'MetaMask', icon: '', rdns: 'io.metamask' };
    const provider = { request: () => Promise.reject(new Error('not in this test')) };
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  });
}
