import type { Page } from '@playwright/test';

/** What a screen reader is told on the pages that open after this call: each text of the widget's live region, which stands there for a second. */
export async function hearAll(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    (window as unknown as { said: string[] }).said = said;
    const listen = (): void => {
      const tree = document.querySelector('#widget > div')?.shadowRoot ?? document;
      const text = tree.querySelector('[data-part=announcer]')?.textContent ?? '';
      if (text !== '' && said.at(-1) !== text) said.push(text);
      requestAnimationFrame(listen);
    };
    listen();
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said.join('\n'));
}
