import { expect, test } from './fixtures.ts';
import { ALONE, choose, enter, FINISH, GOOD, goOn, pageFor, passwordField } from './password-visitor.ts';
import { expectSignedIn, newAddress, widget } from './visitor.ts';

const CHECK = '**/passwords/strength_check';

const REPEATED = 'Repeated character patterns like “abcabcabc” are easy to guess.';

test('a weak or breached password is no password', { tag: '@soak' }, async ({ page, demoPath, axe }) => {
  await page.goto(pageFor(demoPath, ALONE));
  await enter(page, newAddress(), FINISH);
  await passwordField(page).fill('abcabc');
  const meter = widget(page).getByRole('meter', { name: 'Password strength' });
  await expect(meter).toHaveAttribute('aria-valuetext', /weak/i);
  await expect(widget(page).getByText(REPEATED, { exact: true })).toBeVisible();
  await expect(goOn(page)).toHaveAttribute('aria-disabled', 'true');
  await passwordField(page).fill('password');
  await expect(widget(page).locator('[data-part=breached]')).toContainText('may have been used on a different site');
  expect(await axe(page)).toEqual([]);
  await passwordField(page).press('Enter');
  await expect(goOn(page)).toHaveAttribute('aria-disabled', 'true');
  await choose(page, GOOD);
  await expect(meter).toHaveAttribute('aria-valuenow', '4');
});

test(
  'while a password is typed the server is asked once, when the field rests',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    let asked = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/passwords/strength_check')) asked += 1;
    });
    await page.goto(pageFor(demoPath, ALONE));
    await enter(page, newAddress(), FINISH);
    // On a busy machine a field would rest between two keys.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await passwordField(page).pressSequentially(GOOD);
    expect(asked).toBe(0);
    await page.clock.resume();
    await expect(goOn(page)).not.toHaveAttribute('aria-disabled', 'true');
    expect(asked).toBe(1);
  },
);

test('no password is called good before the server has said so', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.route(CHECK, () => {});
  await page.goto(pageFor(demoPath, ALONE));
  await enter(page, newAddress(), FINISH);
  const meter = widget(page).getByRole('meter');
  await passwordField(page).fill('password1');
  await expect(meter).toHaveAttribute('aria-valuetext', /weak/i);
  await expect(meter).toHaveAttribute('data-tone', 'bad');
  await passwordField(page).fill(GOOD);
  await expect(meter).toHaveAttribute('aria-valuetext', 'Checking…');
  await expect(widget(page).locator('[data-part=grade]')).toHaveText('Checking…');
  await expect(meter).toHaveAttribute('data-tone', 'none');
  await expect(goOn(page)).toHaveAttribute('aria-disabled', 'true');
});

test('Enter right after a strong password is not lost', { tag: '@soak' }, async ({ page, demoPath, axe }) => {
  const address = newAddress();
  await page.goto(pageFor(demoPath, ALONE));
  await enter(page, address, FINISH);
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(CHECK, async (route) => {
    await held;
    await route.continue();
  });
  await passwordField(page).pressSequentially(GOOD);
  await passwordField(page).press('Enter');
  await expect(goOn(page)).toHaveAttribute('aria-busy', 'true');
  expect(await axe(page)).toEqual([]);
  letGo();
  await expectSignedIn(page, address);
});

test(
  'a press right after a weak password goes nowhere once it is known to be weak',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(pageFor(demoPath, ALONE));
    await enter(page, newAddress(), FINISH);
    await passwordField(page).fill('abcabc');
    await goOn(page).click({ force: true });
    await expect(widget(page).getByText(REPEATED, { exact: true })).toBeVisible();
    await expect(goOn(page)).not.toHaveAttribute('aria-busy', 'true');
    await expect(passwordField(page)).toHaveValue('abcabc');
  },
);

test('a check that fails can be made again', { tag: '@soak' }, async ({ page, demoPath, trap, axe }) => {
  trap.allow(/Failed to load resource: net::ERR_FAILED/);
  await page.route(CHECK, (route) => route.abort());
  await page.goto(pageFor(demoPath, ALONE));
  await enter(page, newAddress(), FINISH);
  await passwordField(page).fill(GOOD);
  await expect(widget(page).getByText(/This password could not be checked/)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.unroute(CHECK);
  await widget(page).getByRole('button', { name: 'Try again' }).click();
  await expect(goOn(page)).not.toHaveAttribute('aria-disabled', 'true');
  await expect(widget(page).getByText(/This password could not be checked/)).toBeHidden();
});
