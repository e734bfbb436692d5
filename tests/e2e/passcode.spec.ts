import { expect, test } from './fixtures.ts';
import {
  askForCode,
  codeField,
  emailField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  heading,
  logOut,
  newAddress,
  otherThan,
  sendButton,
  widget,
} from './visitor.ts';

const WRONG = 'Invalid passcode, please try again.';
/** The browser itself logs every refusal. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

test(
  'signs in from click to account, and the session is known in every tab',
  { tag: ['@every', '@smoke'] },
  async ({ page, demoPath, inbox, context }) => {
    const violations: string[] = [];
    await context.exposeBinding('reportViolation', (_, directive: string) => violations.push(directive));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        (window as unknown as { reportViolation(text: string): void }).reportViolation(event.violatedDirective);
      });
    });
    const address = newAddress();
    const answer = await page.goto(demoPath);
    expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");

    await askForCode(page, address);
    await expect(widget(page)).toContainText(`A 6-digit passcode was sent to you at ${address}.`);
    await expect(widget(page)).toContainText(/Your code expires in [45]:\d\d\./);
    // A phone may discard the tab while its owner reads the mail.
    await page.reload();
    await expect(widget(page)).toContainText(`A 6-digit passcode was sent to you at ${address}.`);
    // One real field for autofill and a numeric keypad.
    await expect(codeField(page)).toHaveCount(1);
    await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric');
    await codeField(page).pressSequentially(await inbox.codeFor(address));
    await expectSignedIn(page, address);

    await page.reload();
    await expectSignedIn(page, address);

    const second = await context.newPage();
    await second.goto(demoPath);
    await expectSignedIn(second, address);
    // A tab asks the server once at its start; a sign-out that overtakes the question is refused an answer, audibly.
    await expectConfirmed(second);

    await logOut(second).click();
    await expectSignedOut(second);
    await expectSignedOut(page);
    await page.reload();
    await expectSignedOut(page);
    expect(violations).toEqual([]);
  },
);

test(
  'a tab that was open before follows a sign-in',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, context }) => {
    const address = newAddress();
    const second = await context.newPage();
    await second.goto(demoPath);
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    await expectSignedIn(second, address);
  },
);

test(
  'a wrong code clears the boxes, keeps the focus and shows a message until typing',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    const code = await inbox.codeFor(address);

    await codeField(page).pressSequentially(otherThan(code));
    const message = widget(page).getByText(WRONG);
    await expect(message).toBeVisible();
    await expect(widget(page).locator('[role=alert], [aria-live]').filter({ hasText: WRONG })).not.toHaveCount(0);
    await expect(codeField(page)).toHaveValue('');
    await expect(codeField(page)).toBeFocused();
    await expect(codeField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(codeField(page)).toHaveAccessibleDescription(new RegExp(WRONG.replaceAll('.', '\\.')));

    await page.keyboard.type(code.slice(0, 1));
    await expect(message).toBeHidden();
    await page.keyboard.type(code.slice(1));
    await expectSignedIn(page, address);
  },
);

test(
  'after five wrong codes a message appears, and a new code is the only action',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap, axe }) => {
    trap.allow(REFUSED);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    const code = await inbox.codeFor(address);
    const [first] = await inbox.messagesTo(address);
    for (const by of [1, 2, 3, 4, 5]) {
      const answer = page.waitForResponse(/\/otps\/authenticate$/);
      await codeField(page).fill(otherThan(code, by));
      expect((await answer).ok()).toBe(false);
      await expect(codeField(page)).toHaveValue('');
      if (by < 5) await expect(widget(page).getByText(WRONG)).toBeVisible();
    }
    await expect(widget(page).getByText(/no longer works, because a wrong one was entered five times/)).toBeVisible();
    await expect(widget(page).getByText(WRONG)).toBeHidden();
    const main = widget(page).getByRole('button', { name: 'Send a new code' });
    await expect(main).toBeFocused();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(codeField(page)).toBeFocused();
    await page.keyboard.type(await inbox.codeFor(address, { after: first?.id ?? '' }));
    await expectSignedIn(page, address);
  },
);

test(
  'a code that a newer one has replaced is told from a wrong one',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, trap }) => {
    trap.allow(REFUSED);
    await page.clock.install();
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    const old = await inbox.codeFor(address);
    for (let sent = 1; sent < 4; sent += 1) {
      const [last] = await inbox.messagesTo(address);
      await widget(page).getByRole('button', { name: 'Resend code', exact: true }).click();
      await inbox.codeFor(address, { after: last?.id ?? '' });
      await expect(codeField(page)).toBeFocused();
      await page.clock.fastForward('00:21');
    }
    await codeField(page).fill(old);
    await expect(widget(page).getByText('This passcode was replaced by a newer one.')).toBeVisible();
    await expect(codeField(page)).toBeFocused();
  },
);

test(
  'a new code leaves the old one valid: the first email may come last',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    const old = await inbox.codeFor(address);
    await widget(page).getByRole('button', { name: 'Resend code' }).click();
    await expect(widget(page).getByRole('button', { name: 'Code sent' })).toBeVisible();
    await expect(codeField(page)).toBeFocused();
    await expect(widget(page).getByRole('button', { name: /Resend code in 0:1\d/ })).toBeVisible();
    await codeField(page).fill(old);
    await expectSignedIn(page, address);
  },
);

test(
  'the code is one real field: autofill, numeric keypad, paste as it was written',
  { tag: '@soak' },
  async ({ page, demoPath, inbox, context }) => {
    // Firefox knows no such permissions, so this walk is Chromium's.
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await expect(codeField(page)).toHaveCount(1);
    await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric');

    await codeField(page).pressSequentially('a-b');
    await expect(codeField(page)).toHaveValue('');
    const code = await inbox.codeFor(address);
    await page.evaluate((text) => navigator.clipboard.writeText(text), ` ${code.slice(0, 3)} ${code.slice(3)}\n`);
    await codeField(page).focus();
    await page.keyboard.press('ControlOrMeta+V');
    await expectSignedIn(page, address);
  },
);

test('a code that a keyboard inserts after typed digits counts whole', async ({ page, demoPath, inbox }) => {
  const address = newAddress();
  await page.goto(demoPath);
  await askForCode(page, address);
  await codeField(page).pressSequentially('12');
  await expect(codeField(page)).toHaveValue('12');
  // Without an event of the clipboard, as keyboards of phones do.
  await page.keyboard.insertText(await inbox.codeFor(address));
  await expectSignedIn(page, address);
});

test('the countdown ends by the clock, not by counting', { tag: ['@every', '@soak'] }, async ({ page, demoPath }) => {
  await page.clock.install();
  await page.goto(demoPath);
  await askForCode(page, newAddress());
  await expect(widget(page)).toContainText(/Your code expires in [45]:\d\d\./);
  await page.clock.fastForward('04:00');
  await expect(widget(page)).toContainText(/Your code expires in 0:\d\d\./);
  await page.clock.fastForward('01:30');
  await expect(widget(page)).toContainText('Your code has expired.');
  await expect(widget(page)).not.toContainText('Your code expires in');

  await widget(page).getByRole('button', { name: 'Send a new code' }).click();
  await expect(widget(page)).toContainText(/Your code expires in [45]:\d\d\./);
});

test(
  'a login on its success screen is at its start again when the session ends',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox }) => {
    const address = newAddress();
    await page.goto(`${demoPath}?stay=1`);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expect(heading(page, 'Success!')).toBeVisible();
    await page.evaluate(() =>
      (
        window as unknown as { __demo: { client: { session: { revoke(): Promise<unknown> } } } }
      ).__demo.client.session.revoke(),
    );
    await expect(emailField(page)).toBeVisible();
  },
);

test(
  'a mistyped domain is doubted once, the mailbox is one press away, and ß stays ß',
  { tag: ['@every', '@soak'] },
  async ({ page, inbox }) => {
    const mistyped = newAddress().replace('@example.com', '@gmial.com');
    const meant = mistyped.replace('gmial', 'gmail');
    const hint = widget(page).getByRole('button', { name: `Did you mean ${meant}?` });
    await page.goto('/');
    await emailField(page).fill(mistyped);
    await expect(hint).toBeVisible();
    await hint.click();
    await expect(emailField(page)).toHaveValue(meant);
    await expect(emailField(page)).toBeFocused();
    await sendButton(page).click();
    const mailbox = widget(page).getByRole('link', { name: 'Open in Gmail' });
    await expect(mailbox).toHaveAttribute('href', /^https:\/\/mail\.google\.com\/.*from%3A\(%40portico\.example\)/);
    await expect(mailbox).toHaveAttribute('rel', 'noopener noreferrer');
    await widget(page).getByRole('button', { name: 'Back' }).click();

    // As by a keyboard: the browser itself would turn the domain into another one.
    const address = newAddress().replace('example.com', 'straße.example');
    await emailField(page).fill('');
    await page.keyboard.insertText(address);
    await sendButton(page).click();
    await expect(widget(page)).toContainText(`A 6-digit passcode was sent to you at ${address}.`);
    await codeField(page).pressSequentially(await inbox.codeFor(address));
    await expectSignedIn(page, address);
  },
);
