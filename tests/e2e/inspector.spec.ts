import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { savedFile } from './saved-file.ts';
import { askForCode, codeField, heading, newAddress, sendButton, widget } from './visitor.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Portico inspector' });
const press = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true }).click();
const said = (page: Page) => panel(page).locator('.actions [role=status]');
const entry = (page: Page, text: string | RegExp) => panel(page).locator('.timeline summary').filter({ hasText: text });

test(
  'the inspector shows a login, and causes what is hard to wait for',
  { tag: '@soak' },
  async ({
    page,
    inbox,
    axe,
    trap,
    // Gives this page a clock and faults of its own.
    control,
    launchOptions,
  }) => {
    trap.allow(/status of (401|404|429)/);
    const address = newAddress();
    const secrets: string[] = [address];
    page.on('request', (request) => {
      if (!request.url().includes('/sdk/')) return;
      secrets.push(request.headers()['authorization'] ?? '', request.headers()['x-sdk-client'] ?? '');
    });
    await page.goto('/playground');
    await expect(panel(page)).toBeVisible();
    await askForCode(page, address);
    await expect(panel(page).locator('.now strong')).toHaveText('OTPAuthenticate');
    await expect(panel(page).locator('.moves')).toContainText('OTPConfirmation');
    await expect(entry(page, 'otps/email/login_or_create')).toContainText('200');
    // The message flies into the inbox first.
    await expect.poll(() => axe(page)).toEqual([]);

    await press(page, 'Expire this code');
    await expect(said(page)).toHaveText('One code or link has expired.');
    const code = await inbox.codeFor(address);
    secrets.push(code);
    await codeField(page).fill(code);
    await expect(widget(page).getByText(/has expired/)).toBeVisible();
    await expect(entry(page, '404 otp_code_not_found')).toBeVisible();

    await widget(page).getByRole('button', { name: 'Back' }).click();
    await press(page, 'Rate-limit me');
    await expect(said(page)).toContainText('429');
    await sendButton(page).click();
    await expect(entry(page, '429 too_many_requests').first()).toBeVisible();
    await press(page, 'End the rate limit');

    await press(page, 'Go offline');
    await expect(panel(page).getByRole('button', { name: 'Go online' })).toBeVisible();
    expect(await page.evaluate(() => navigator.onLine)).toBe(false);
    await sendButton(page).click();
    await expect(entry(page, 'no answer network').first()).toBeVisible();
    // The widget sends the request again without a press.
    await press(page, 'Go online');
    await expect(heading(page, 'Enter passcode')).toBeVisible();
    const second = await inbox.codeFor(address, { after: (await inbox.messagesTo(address)).at(-1)?.id ?? '' });
    secrets.push(second);
    await codeField(page).fill(second);
    await expect(panel(page).locator('dd').filter({ hasText: 'otp by email' })).toBeVisible();
    await expect(
      panel(page)
        .locator('dd')
        .filter({ hasText: /^(59:\d\d|1:00:00)$/ }),
    ).toBeVisible();
    for (const { name, value } of await page.context().cookies()) if (name.includes('session')) secrets.push(value);

    await press(page, 'To the next refresh');
    await expect(said(page)).toHaveText("The provider's clock and this client's were moved.");
    await expect(entry(page, 'refresh by this tab')).toBeVisible();
    await expect(entry(page, '/sdk/v1/sessions/authenticate')).toContainText('200');
    await press(page, 'Past the session');
    await expect(entry(page, 'session ended')).toBeVisible();
    expect((await control.state()).clock.moved_ms).toBeGreaterThan(3_500_000);
    await press(page, 'Set everything back');
    await expect(panel(page).locator('dd').filter({ hasText: 'real time' })).toBeVisible();

    const trace = await savedFile(page, launchOptions, 'portico-trace.json', '"format": "portico-trace"', () =>
      press(page, 'Download'),
    );
    const forms = secrets.flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]);
    expect(forms.length).toBeGreaterThan(30);
    // The six digits of a code may stand by chance within a longer number, such as a time.
    const isIn = (form: string) =>
      /^\d{6}$/u.test(form) ? new RegExp(`(?<![\\w.-])${form}(?![\\w-])`, 'u').test(trace) : trace.includes(form);
    expect(forms.filter((form) => form.length > 5 && isIn(form))).toEqual([]);

    await press(page, 'Deny at the provider');
    await expect(said(page)).toHaveText('The next social login is denied at the provider.');
    await page.getByRole('radio', { name: 'Social' }).check();
    await widget(page).getByRole('button', { name: 'Continue with Google' }).click();
    await expect(page.getByRole('heading', { name: 'You were not logged in' })).toBeVisible();
  },
);
