/** The steps of a visitor on the account page. */
import type { Page } from '@playwright/test';
import { expect, type Inbox } from './fixtures.ts';
import { enterNewCode, heading, newAddress, widget } from './visitor.ts';

export const pathFor = (demoPath: string): string => (demoPath === '/' ? '/account' : '/account?build=standalone');

export const button = (page: Page, name: string | RegExp) => widget(page).getByRole('button', { name });

export const section = (page: Page, name: string) => widget(page).getByRole('region', { name });

/** Signs in on the account page. */
export async function enter(page: Page, path: string, inbox: Inbox, address = newAddress()): Promise<string> {
  await page.goto(path);
  await expect(heading(page, 'You are not signed in')).toBeVisible();
  await button(page, 'Sign in').click();
  await enterNewCode(page, inbox, address);
  await expect(heading(page, 'Your account')).toBeVisible();
  return address;
}

export const events = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(() =>
    (window as unknown as { __demo: { events: { type: string; data: { change?: string } }[] } }).__demo.events
      .filter(({ type }) => type === 'ACCOUNT_CHANGED')
      .map(({ data }) => data.change),
  );
