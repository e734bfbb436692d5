import type { Page } from '@playwright/test';
import type { Inbox } from '../../e2e/fixtures.ts';

/** Signs in by a code that is mailed to the address, in the widget that the page or frame shows. */
export async function signInByCode(page: Pick<Page, 'getByRole'>, inbox: Inbox, address: string): Promise<void> {
  await page.getByRole('textbox', { name: /email/i }).fill(address);
  await page.getByRole('button', { name: /continue/i }).click();
  await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(address));
}
