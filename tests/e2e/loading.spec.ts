import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { emailField, heading, newAddress, sendButton, widget } from './visitor.ts';

const SCRIPTS = /\.js(?:\?|$)/;
/** The code of the login, in either build. */
const LOGIN = /\/(?:standalone-)?login-[\w-]+\.js$/u;

/** Waits until the page has asked for nothing for half a second. Firefox under a driver has no `networkidle` to wait for. */
async function rests(page: Page): Promise<void> {
  let last = Date.now();
  const note = (): void => void (last = Date.now());
  page.on('request', note);
  await expect.poll(() => Date.now() - last, { intervals: [100] }).toBeGreaterThan(500);
  page.off('request', note);
}

/** A page that is never idle, and whose form is there. Answers the scripts that it asks for. */
async function openBusy(page: Page, path: string): Promise<string[]> {
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  const asked: string[] = [];
  page.on('request', (request) => SCRIPTS.test(request.url()) && asked.push(request.url()));
  await page.goto(path);
  await expect(emailField(page)).toBeVisible();
  await rests(page);
  return asked;
}

test(
  'the code of the login is requested by the first sign of use, and once',
  { tag: '@every' },
  async ({ page, demoPath }) => {
    const asked = await openBusy(page, demoPath);
    const logins = () => asked.filter((url) => LOGIN.test(url));
    expect(logins()).toEqual([]);
    await emailField(page).hover();
    await expect.poll(logins).toHaveLength(1);
    // A file may name another that it needs: all of them are there once the page rests.
    await rests(page);
    const first = [...asked];
    await emailField(page).fill('a');
    await emailField(page).hover();
    await rests(page);
    // What knows the mail services is of use only to who types an address.
    expect(asked.slice(first.length).filter((url) => !/\bmails-/u.test(url))).toEqual([]);
  },
);

test('an idle page asks for it by itself', { tag: '@soak' }, async ({ page, demoPath }) => {
  const answers: string[] = [];
  page.on('response', (response) => SCRIPTS.test(response.url()) && answers.push(response.url()));
  await page.addInitScript(() =>
    Object.assign(window, {
      requestIdleCallback: (done: () => void) => window.addEventListener('be-idle', done),
    }),
  );
  await page.goto(demoPath);
  await expect(emailField(page)).toBeVisible();
  await rests(page);
  const atStart = answers.length;
  await page.evaluate(() => void window.dispatchEvent(new Event('be-idle')));
  await expect.poll(() => answers.length).toBeGreaterThan(atStart);
});

test(
  'a page that is only looked at is styled once, and a button under the pointer looks so at once',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(demoPath);
    await expect(sendButton(page)).toBeVisible();
    const sheets = () => page.evaluate(() => document.adoptedStyleSheets.length);
    const color = () => sendButton(page).evaluate((button) => getComputedStyle(button).backgroundColor);
    const atRest = [await sheets(), await color()];
    await rests(page);
    expect([await sheets(), await color()]).toEqual(atRest);
    await sendButton(page).hover();
    await expect.poll(sheets).toBe(Number(atRest[0]) + 1);
    await expect.poll(color).not.toBe(atRest[1]);
  },
);

test(
  'Continue before the code is there is not lost: it waits, and goes on',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath }) => {
    await openBusy(page, demoPath);
    const held: Route[] = [];
    let isOpen = false;
    await page.route(SCRIPTS, async (route) => (isOpen ? route.continue() : void held.push(route)));
    await emailField(page).fill(newAddress());
    await sendButton(page).click();
    await expect(sendButton(page)).toHaveAttribute('aria-busy', 'true');
    expect(held.length).toBeGreaterThan(0);
    isOpen = true;
    for (const route of held) await route.continue();
    await expect(heading(page, 'Enter passcode')).toBeVisible();
  },
);

test(
  'code that does not load shows a message, and keeps what was typed',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/Failed to load resource|did not load/);
    await openBusy(page, demoPath);
    await page.route(SCRIPTS, (route) => route.abort());
    const address = newAddress();
    await emailField(page).fill(address);
    for (let press = 0; press < 2; press += 1) {
      await sendButton(page).click();
      await expect(widget(page).getByText('Part of this page did not load.')).toBeVisible();
      await expect(emailField(page)).toHaveValue(address);
    }
    // Its looks are there without the sheet of the login, which is part of what did not load.
    await expect(widget(page).locator('[data-part=banner]')).toHaveCSS('color', 'rgb(179, 32, 42)');
    await expect(widget(page).locator('[data-part=banner]')).toHaveCSS('margin-top', '16px');
    // Chromium remembers what did not load for as long as the page is there.
    await page.unroute(SCRIPTS);
    await page.reload();
    await emailField(page).fill(address);
    await sendButton(page).click();
    await expect(heading(page, 'Enter passcode')).toBeVisible();
  },
);

/** The code of a screen that shows after a reload, and the screen. The page’s own script has a name with one hash. */
const SCREENS = [
  ['the screen of a passcode', '', LOGIN],
  ['the changes of the account page', '/account', /\/(?:standalone-)?account-changes-[\w-]+\.js$/u],
  ['the account page', '/account', /\/(?:standalone-)?account-(?!changes)[\w-]{8}-[\w-]{8}\.js$/u],
] as const;

for (const [build, isSoak] of [
  ['standalone', false],
  ['', true],
] as const) {
  test(
    `code of a screen that does not load is said, and a reload brings it, in the build ${build || 'for React'}`,
    { tag: isSoak ? ['@react', '@soak'] : '@react' },
    async ({ page, trap, inbox }) => {
      trap.allow(/Failed to load resource|did not load|SDKAPIUnreachableError/);
      const address = newAddress();
      await page.goto(`/${build}`);
      await emailField(page).fill(address);
      await sendButton(page).click();
      await expect(heading(page, 'Enter passcode')).toBeVisible();
      await expect.poll(async () => (await inbox.messagesTo(address)).length).toBe(1);
      for (const [, path, code] of SCREENS) {
        await page.route(code, (route) => route.abort());
        await page.goto(path === '' ? `/${build}` : `${path}?build=${build || 'react'}`);
        await expect(widget(page).getByText('Part of this page did not load.')).toBeVisible();
        await page.unroute(code);
        await widget(page).getByRole('button', { name: 'Reload' }).click();
        await expect(heading(page, path === '' ? 'Enter passcode' : 'You are not signed in')).toBeVisible();
      }
    },
  );
}
