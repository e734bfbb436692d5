/** What a visitor does on the demo page, in the words of the screens. */
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, type Inbox } from './fixtures.ts';

/** An address that no other test uses, so that tests do not read each other's mail. */
export const newAddress = (): string => `visitor-${randomUUID()}@example.com`;

/** A code that is not this one. */
export const otherThan = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');

/** The playground with the build of the project that is run. */
export function playgroundPath(demoPath: string, query = ''): string {
  const build = demoPath === '/' ? '' : 'build=standalone';
  const whole = [query, build].filter((one) => one !== '').join('&');
  return `/playground${whole === '' ? '' : `?${whole}`}`;
}

export const widget = (page: Page): Locator => page.locator('#widget');

/** Within its document: for `toBeFocused` the window must be active too, and Firefox's is not once a file was saved in this or an earlier test. */
export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => (node.getRootNode() as Document | ShadowRoot).activeElement === node);
export const emailField = (page: Page): Locator => widget(page).getByRole('textbox', { name: /email/i });
export const sendButton = (page: Page): Locator => widget(page).getByRole('button', { name: /continue/i });
export const codeField = (page: Page): Locator => widget(page).getByRole('textbox', { name: /passcode/i });
export const heading = (page: Page, name: string): Locator => widget(page).getByRole('heading', { name });
export const account = (page: Page): Locator => page.getByRole('region', { name: 'Your account' });
export const logOut = (page: Page): Locator => page.getByRole('button', { name: 'Log out' });

/** From the open page to the screen that waits for a code; the code is the one in the inbox. */
export async function askForCode(page: Page, address: string): Promise<void> {
  await emailField(page).fill(address);
  await sendButton(page).click();
  await expect(heading(page, 'Enter passcode')).toBeVisible();
}

/** Logs in with a passcode, also with an address that had one before. */
export async function enterNewCode(page: Page, inbox: Inbox, address: string): Promise<void> {
  const [before] = await inbox.messagesTo(address);
  await askForCode(page, address);
  await codeField(page).pressSequentially(await inbox.codeFor(address, before && { after: before.id }));
}

export async function askForLink(page: Page, address: string): Promise<void> {
  await emailField(page).fill(address);
  await sendButton(page).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
}

export async function expectSignedIn(page: Page, address: string): Promise<void> {
  await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await expect(account(page)).toContainText(address);
}

export async function expectSignedOut(page: Page): Promise<void> {
  await expect(emailField(page)).toBeVisible();
  await expect(account(page)).toBeHidden();
}

interface DemoWindow {
  readonly __demo: { readonly client: { readonly session: { getInfo(): { readonly fromCache: boolean } } } };
}

/** The server has confirmed in this page the session that was found in the browser. */
export async function expectConfirmed(page: Page): Promise<void> {
  // Undefined until the page's script has run.
  const isFromCache = () => (window as unknown as Partial<DemoWindow>).__demo?.client.session.getInfo().fromCache;
  await expect.poll(() => page.evaluate(isFromCache)).toBe(false);
}

/** Logs out on a page that was just opened: the request that confirms the session ends before the session does. */
export async function signOut(page: Page): Promise<void> {
  await expectConfirmed(page);
  await logOut(page).click();
}

/** Where the focus is, also within a shadow root: the name of the element, in capitals. */
export const focusedTag = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused?.tagName ?? 'none';
  });

/**
 * The page in a new window, which is the active one. Firefox presses no button by a key in another window, and an older window can stay
 * inactive however often it comes to the front.
 */
export async function inNewWindow(page: Page): Promise<Page> {
  const newest = await page.context().newPage();
  await newest.goto(page.url());
  return newest;
}
