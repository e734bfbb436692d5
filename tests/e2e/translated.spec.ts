import type { Page } from '@playwright/test';
import { translate } from '../gallery/translator.ts';
import type { Walks } from '../gallery/walk-page.ts';
import { expect, test } from './fixtures.ts';
import { askForCode, codeField, expectSignedIn, newAddress, otherThan, widget } from './visitor.ts';

interface WalkWindow {
  readonly __walks: Walks;
}

/** The page on which one widget goes through fixtures, of either build. */
async function openWalks(page: Page, demoPath: string): Promise<readonly string[]> {
  await page.goto(demoPath === '/' ? '/gallery/walk' : '/gallery/without-react/walk');
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  return page.evaluate(() => (window as unknown as WalkWindow).__walks.screens);
}

test(
  'a page that is translated while it changes shows the same texts as one that is not, on every screen',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, trap }) => {
    trap.allow(/TypeError: Cannot read properties of null|Failed to load resource/);
    const screens = await openWalks(page, demoPath);
    expect(screens.length).toBeGreaterThan(20);
    for (const screen of screens) {
      const found = await page.evaluate((name) => (window as unknown as WalkWindow).__walks.translated(name), screen);
      expect(found, screen).toEqual([]);
    }
  },
);

test(
  'a translated page logs in by an emailed code, and keeps no text of before',
  { tag: ['@every', '@smoke'] },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(/Failed to load resource: the server responded with a status of 4\d\d/);
    await page.addInitScript(`(${translate.toString()})(document)`);
    const address = newAddress();
    await page.goto(demoPath);
    await expect(widget(page).locator('h1 font')).not.toHaveCount(0);
    await askForCode(page, address);
    await expect(widget(page)).toContainText(`A 6-digit passcode was sent to you at ${address}.`);
    const [first] = await inbox.messagesTo(address);
    await codeField(page).fill(otherThan(await inbox.codeFor(address)));
    await expect(widget(page)).toContainText('Invalid passcode, please try again.');
    await expect(widget(page)).not.toContainText('Verifying passcode...');
    await page.keyboard.type('12');
    await expect(widget(page)).not.toContainText('Invalid passcode');
    await expect(widget(page).locator('[data-part=box]')).toHaveText(['1', '2', '', '', '', '']);
    await widget(page).getByRole('button', { name: 'Resend code' }).click();
    const again = widget(page).getByRole('button', { name: /^(?:Code sent|Resend code in)/ });
    await expect(again).toBeVisible();
    await expect(again).toHaveText(/^Resend code in \d:\d\d$/);
    await codeField(page).fill(await inbox.codeFor(address, first && { after: first.id }));
    await expectSignedIn(page, address);
  },
);
