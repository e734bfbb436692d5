/** The front page and the playground around the widget: themes, the dark switch, the first message, the inspector. */
import { expect, test } from './fixtures.ts';
import { widget } from './visitor.ts';

test(
  'the theme is chosen by dots, and the dark switch holds for the widget and for the documentation',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(demoPath);
    const schemeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).colorScheme);
    const dots = page.getByRole('group', { name: 'Theme' });
    await expect(dots.getByRole('radio')).toHaveCount(8);
    await dots.getByRole('radio', { name: 'Ocean' }).check();
    await expect(page).toHaveURL(/theme=ocean/);
    const container = page.locator('#widget [data-portico]').locator('..');
    await expect(container).toHaveAttribute('data-portico-preset', 'ocean');
    await expect(dots).toContainText('Ocean');

    const dark = page.getByRole('switch', { name: 'Dark scheme' });
    await expect(dark).not.toBeChecked();
    await dark.click();
    await expect(dark).toBeChecked();
    expect(await schemeOf('html')).toBe('dark');
    expect(await schemeOf('#widget [data-portico]')).toBe('dark');
    // Another theme is applied anew, and follows the page too.
    await dots.getByRole('radio', { name: 'Warm' }).check();
    await expect(container).toHaveAttribute('data-portico-preset', 'warm');
    await expect.poll(() => schemeOf('#widget [data-portico]')).toBe('dark');

    await page.goto('/docs/getting-started');
    await expect(page.locator('html')).toHaveClass(/\bdark\b/);
    await page.getByRole('switch', { name: 'Appearance' }).first().click();
    await expect(page.locator('html')).not.toHaveClass(/\bdark\b/);
    await page.goto(demoPath);
    await expect(dark).not.toBeChecked();
    await expect(widget(page)).toBeVisible();
    expect(await schemeOf('#widget [data-portico]')).toBe('light');
  },
);

test('an empty inbox gets a first message, once', { tag: '@soak' }, async ({ page, demoPath }) => {
  const asked: string[] = [];
  await page.route('**/config.json', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...((await reply.json()) as object), welcome: true } });
  });
  await page.route('**/dev/inbox.json*', (route) => route.fulfill({ json: [] }));
  await page.route('**/otps/email/login_or_create', async (route) => {
    asked.push((route.request().postDataJSON() as { email: string }).email);
    await route.continue();
  });
  await page.clock.install();
  const look = async () => {
    await page.goto(demoPath);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  };
  await look();
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000);
      return asked;
    })
    .toEqual(['ada@example.com']);
  await look();
  await page.clock.runFor(5_000);
  expect(await page.evaluate(() => sessionStorage.getItem('portico-demo-welcomed'))).toBe('yes');
  expect(asked).toHaveLength(1);
});

test(
  'the playground scrolls as one page, and on a phone the inspector is closed above the code',
  { tag: '@soak' },
  async ({ page }) => {
    await page.goto('/playground');
    const inspector = page.getByRole('region', { name: 'Portico inspector' });
    await expect(inspector).toBeVisible();
    const options = page.locator('#playground');
    expect(
      await options.evaluate((one) => [getComputedStyle(one).overflowY, one.scrollHeight - one.clientHeight]),
    ).toEqual(['visible', 0]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await expect(page.getByText('Flow inspector')).toBeVisible();
    await expect(inspector).toBeHidden();
    await page.getByText('Flow inspector').click();
    await expect(inspector).toBeVisible();
  },
);

test(
  'the inbox of a developer can be emptied, and leads to the demo while it is empty',
  { tag: '@soak' },
  async ({ page, providerUrl }) => {
    // All tests share one inbox.
    const message = {
      id: 'm',
      channel: 'email',
      to: 'ada@example.com',
      subject: 'A code',
      text: 'x',
      at: '2030-01-01',
    };
    let messages: readonly object[] = [message];
    await page.route('**/dev/inbox/stream', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: ':\n\n' }),
    );
    await page.route('**/dev/inbox.json', (route) => route.fulfill({ json: messages }));
    await page.route('**/dev/inbox', async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      messages = [];
      return route.fulfill({ status: 204 });
    });
    await page.goto(`${providerUrl}/dev/inbox`);
    await expect(page.getByRole('heading', { name: 'A code' })).toBeVisible();
    const empty = page.getByText('No messages yet.');
    await expect(empty).toBeHidden();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await expect(empty).toBeFocused();
    await expect(page.getByRole('button', { name: 'Delete all' })).toBeHidden();
    await page.getByRole('link', { name: 'Ask for a code in the demo' }).click();
    await expect(page).toHaveURL('/');
  },
);

test('a page of the documentation is copied as Markdown', async ({ page, axe, context, browserName }) => {
  test.skip(browserName !== 'chromium', 'only Chromium lets a test read the clipboard');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/second-factor');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Copy page' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
  const markdown = await page.evaluate(async () => navigator.clipboard.readText());
  expect(markdown).toMatch(/^# The second factor\n/u);
  await page.getByRole('link', { name: 'View as Markdown' }).click();
  await expect(page).toHaveURL(/\/docs\/second-factor\.md$/u);
  await expect(page.locator('body')).toContainText('# The second factor');
  await page.goto('/llms.txt');
  await expect(page).toHaveURL(/\/docs\/llms\.txt$/u);
});
