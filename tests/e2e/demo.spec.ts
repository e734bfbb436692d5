import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  askForCode,
  codeField,
  emailField,
  expectSignedIn,
  heading,
  logOut,
  newAddress,
  sendButton,
  widget,
} from './visitor.ts';

/** How many letters have flown through the page since this was first called. */
const letters = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const at = window as unknown as { letters?: number };
    if (at.letters === undefined) {
      at.letters = 0;
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        at.letters! += added.filter((node) => node instanceof Element && node.matches('.letter')).length;
      }).observe(document.body, { childList: true });
    }
    return at.letters;
  });

/** Tests run beside each other, and the page shows what comes for all of them: it hears of this address alone. */
async function hearOnly(page: Page, address: string): Promise<void> {
  await page.addInitScript((to) => {
    type Listen = (type: string, listener: (event: MessageEvent<string>) => void) => void;
    const prototype = EventSource.prototype as unknown as { addEventListener: Listen };
    const listen = prototype.addEventListener;
    prototype.addEventListener = function hear(type, listener) {
      listen.call(this, type, (event) => {
        if (type !== 'message' || event.data.includes(to)) listener(event);
      });
    };
  }, address);
}

test(
  'a message flies into the dev inbox by itself, and its code can be copied',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const address = newAddress();
    await hearOnly(page, address);
    await page.goto(demoPath);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await letters(page);
    await askForCode(page, address);
    await expect.poll(() => letters(page)).toBe(1);
    // It has landed, and left nothing behind.
    await expect(page.locator('.letter')).toHaveCount(0);
    const message = page.getByRole('listitem').filter({ hasText: address });
    const code = await inbox.codeFor(address);
    await message.getByRole('button', { name: `Copy ${code}` }).click();
    await expect(message.getByText('Copied')).toBeVisible();
    await codeField(page).focus();
    await page.keyboard.press('ControlOrMeta+V');
    await expectSignedIn(page, address);
  },
);

test(
  'on a phone the inbox says that the code is there, and fills it in',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, axe }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const address = newAddress();
    await hearOnly(page, address);
    await page.goto(demoPath);
    const foot = page.getByRole('button', { name: /^(?:\d+ new\. )?(?:Dev inbox|Your code)/ });
    await expect(foot).toHaveAccessibleName('Dev inbox');
    // Type of twice the size has room too.
    const widthAt = (fontSize: string): Promise<number> =>
      page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
        return document.documentElement.scrollWidth;
      }, fontSize);
    expect(await widthAt('200%')).toBeLessThanOrEqual(360);
    expect(await widthAt('')).toBeLessThanOrEqual(360);
    // Only what arrives from now on is news.
    await expect(page.getByText('Live', { exact: true })).toBeAttached();
    await letters(page);
    await askForCode(page, address);
    const code = await inbox.codeFor(address);
    const line = page.locator('.inbox-foot');
    await expect(line).toContainText(`Your code is here: ${code}`);
    await expect(line).toBeInViewport();
    expect(await letters(page), 'with reduced motion nothing flies').toBe(0);
    await expect(page.getByText(`Your code is here: ${code}. New message to ${address}.`)).toHaveRole('status');
    expect(await axe(page)).toEqual([]);
    await foot.click();
    await expect(page.getByRole('list', { name: 'Messages, newest first' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('list', { name: 'Messages, newest first' })).toBeHidden();
    await expect(foot).toBeFocused();
    await line.getByRole('button', { name: `Fill in ${code}` }).click();
    await expectSignedIn(page, address);
    // The code was used.
    await expect(foot).toHaveAccessibleName('Dev inbox');
  },
);

test('on a phone the bar of the inbox leaves the error of an address in view', async ({ page, demoPath }) => {
  await page.setViewportSize({ width: 360, height: 760 });
  await page.goto(demoPath);
  const field = page.getByRole('textbox', { name: 'Email address' });
  await field.fill('ada@');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  const error = await page.locator('[data-part=field-error]:visible').first().boundingBox();
  const bar = await page.locator('.inbox-foot').boundingBox();
  expect((error?.y ?? 0) + (error?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  expect(error?.height).toBeGreaterThan(0);
});

test(
  'Ada is signed in with one press, and a code without a field is copied',
  { tag: '@soak' },
  async ({ page, demoPath, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize({ width: 360, height: 740 });
    await hearOnly(page, 'ada@example.com');
    await page.goto(demoPath);
    await page.getByRole('button', { name: 'Copy the command' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Sign in as Ada' }).click();
    await expectSignedIn(page, 'Ada Lovelace · ada@example.com');
    await expect(page.getByRole('link', { name: 'Open your account' })).toBeFocused();
    // The code was used, so that the line of a phone no longer offers it.
    const foot = page.locator('.inbox-foot');
    await expect(foot.getByRole('button', { name: /^Fill in/ })).toHaveCount(0);
    await foot.getByRole('button', { name: 'Dev inbox' }).click();
    const message = page.getByRole('listitem').filter({ hasText: 'ada@example.com' }).first();
    await message.getByRole('button', { name: /^Fill in/ }).click();
    await expect(message).toContainText('The widget asks for no code now. Copied instead.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d{6}$/);
    await logOut(page).click();
    await expect(page.getByRole('button', { name: 'Sign in as Ada' })).toBeEnabled();

    // What the install line names is the package, whole.
    const tarball = await page.request.get(command.replace('npm install ', ''));
    const unpacked = gunzipSync(await tarball.body()).toString('latin1');
    for (const file of ['package/package.json', 'package/dist/index.js']) expect(unpacked).toContain(file);
  },
);

const LINKS = ['Docs', 'Playground', 'Gallery', 'Account', 'Source'];

test(
  'before any script has run, every page has its frame and the front page says all that it can',
  { tag: '@soak' },
  async ({ browser, baseURL, providerUrl }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
    const page = await context.newPage();
    for (const path of [
      '/account',
      '/passkeys',
      '/authorize',
      '/authenticate',
      '/reset',
      '/source',
      '/gallery/',
      '/playground',
      '/nowhere',
      '/standalone',
      '/',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('banner').getByRole('link', { name: 'Portico' })).toHaveAttribute('href', '/');
      await expect(page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link')).toHaveText(LINKS);
      const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
      expect(font, path).toMatch(/^system-ui/);
      if (!/source|gallery|nowhere/.test(path))
        await expect(page.getByRole('heading', { name: 'Dev inbox' })).toBeVisible();
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The sign-in widget that brings its own server.');
    await expect(page.locator('#install')).toHaveText(/^npm install http:/);
    await expect(page.locator('#code')).toContainText('client.mountLogin({');
    await expect(page.locator('#peers')).toContainText('Portico, standalone');

    // The documentation has the same header, beside its search; what is on other origins leads back.
    await page.goto('/docs/getting-started');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Portico' })).toHaveAttribute('href', '/');
    await expect(page.getByRole('navigation', { name: 'Main Navigation' }).getByRole('link')).toHaveText(LINKS);
    for (const [address, name] of [
      [`${providerUrl}/dev/inbox`, 'Demo'],
      [`${providerUrl}/dev/mails`, 'Demo'],
      [process.env['PORTICO_APP_URL'] ?? '', 'Back to the demo'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page).toHaveURL('/');
    }
    await context.close();
  },
);

test('the widget’s events are listed, without a secret', { tag: '@soak' }, async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(demoPath);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expectSignedIn(page, address);
  await page.locator('summary').filter({ hasText: 'Events' }).click();
  const log = page.locator('#events');
  for (const type of ['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']) {
    await expect(log).toContainText(type);
  }
  const tokens = await page.evaluate(() => {
    const { client } = (
      window as unknown as { __demo: { client: { session: { getTokens(): Record<string, string> } } } }
    ).__demo;
    return Object.values(client.session.getTokens());
  });
  expect(tokens).toHaveLength(2);
  const text = await page.evaluate(() => document.body.textContent);
  for (const token of tokens) expect(text).not.toContain(token.slice(4));
});

test('the way to sign in is remembered in the address', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(demoPath);
  await expect(emailField(page)).toBeVisible();
  await page.getByRole('radio', { name: 'Link' }).check();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Link' })).toBeChecked();
  await page.getByRole('radio', { name: 'Passcode' }).check();
  await expect(page).not.toHaveURL(/by=/);
  await expect(heading(page, 'Sign up or log in')).toHaveCount(1);
});

test('the other build has the same page', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(`${demoPath}?by=link`);
  const builds = page.getByRole('navigation', { name: 'Builds' });
  await expect(builds.locator('[aria-current=page]')).toHaveText(demoPath === '/' ? 'With React' : 'Standalone');
  await builds.locator('a:not([aria-current])').click();
  await expect(page).toHaveURL(/\?by=link$/);
  await expect(page.getByRole('radio', { name: 'Link' })).toBeChecked();
});

test(
  'while the provider is away the inbox shows a message, and who asked for a code waits and may ask again',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/Failed to load resource|net::ERR_FAILED/);
    await page.route('**/dev/inbox/stream', (route) => route.abort());
    await page.goto(demoPath);
    await expect(page.getByText(/The provider at \S+ does not answer\. Trying again…/)).toBeVisible();
    await page.unroute('**/dev/inbox/stream');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();

    let drop = (): void => undefined;
    const dropped = new Promise<void>((resolve) => (drop = resolve));
    await page.route('**/otps/email/login_or_create', async (route) => {
      await dropped;
      await route.abort();
    });
    const ada = page.getByRole('button', { name: 'Sign in as Ada' });
    await ada.click();
    await expect(page.getByText('Asking for a passcode, and reading it from the inbox…')).toBeVisible();
    await expect(ada).toHaveAttribute('aria-disabled', 'true');
    await emailField(page).fill(newAddress());
    await emailField(page).press('Enter');
    await expect(widget(page).locator('[data-state=busy]')).toBeVisible();
    drop();
    await expect(page.getByText(/^Ada could not sign in\. /)).toBeVisible();
    await expect(ada).toHaveAttribute('aria-disabled', 'false');
    await expect(widget(page).getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
    await page.unroute('**/otps/email/login_or_create');
    await sendButton(page).click();
    await expect(heading(page, 'Enter passcode')).toBeVisible();
  },
);
