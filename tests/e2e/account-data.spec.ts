import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { savedFile } from './saved-file.ts';
import { askForCode, codeField, hasFocus, heading, newAddress, inNewWindow, widget } from './visitor.ts';

const button = (page: Page, name: string) => widget(page).getByRole('button', { name });

const isDeleted = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    (window as unknown as { __demo: { events: { type: string; data: { change?: string } }[] } }).__demo.events.some(
      ({ data }) => data.change === 'accountDeleted',
    ),
  );

test(
  'somebody takes the data along and deletes the account, in all tabs',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap, launchOptions }) => {
    // What the other tab asks for as its session ends.
    trap.allow(/401/);
    const path = demoPath === '/' ? '/account' : '/account?build=standalone';
    const address = newAddress();
    await page.goto(path);
    await button(page, 'Sign in').click();
    await askForCode(page, address);
    await codeField(page).pressSequentially(await inbox.codeFor(address));
    await expect(heading(page, 'Your account')).toBeVisible();
    const here = await inNewWindow(page);
    await expect(heading(here, 'Your account')).toBeVisible();

    const text = await savedFile(here, launchOptions, 'account-data.json', address, () =>
      button(here, 'Download your data').click(),
    );
    const data = JSON.parse(text) as {
      readonly user: { readonly emails: readonly { readonly email: string }[] };
      readonly audit_log: readonly { readonly event: string }[];
    };
    expect(data.user.emails.map(({ email }) => email)).toEqual([address]);
    expect(data.audit_log.map(({ event }) => event)).toContain('login');
    await button(here, 'Done').click();

    await button(here, 'Delete your account').click();
    await button(here, 'Yes, delete my account').click();
    await expect.poll(() => hasFocus(heading(here, 'Your account is deleted'))).toBe(true);
    await expect.poll(() => isDeleted(here)).toBe(true);
    await expect(heading(page, 'You are signed out')).toBeVisible();
    await expect
      .poll(async () =>
        (await inbox.messagesTo(address)).some(({ subject }) => subject.includes('account was deleted')),
      )
      .toBe(true);
    await here.reload();
    await expect(heading(here, 'You are not signed in')).toBeVisible();
    await here.close();
  },
);
