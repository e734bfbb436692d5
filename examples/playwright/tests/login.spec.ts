import { randomUUID } from 'node:crypto';
import { expect, test } from 'portico/testing/playwright';

/** An address that no other test uses, so that tests can run at the same time. */
const newAddress = (): string => `visitor-${randomUUID()}@example.com`;

test('a visitor signs up with a passcode, and signs out', async ({ page, inbox }) => {
  const address = newAddress();
  await page.goto('/');
  await page.getByRole('textbox', { name: /email/i }).fill(address);
  await page.getByRole('button', { name: /continue/i }).click();
  await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(address));
  await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
});

test('a person who is signed in is greeted at once', async ({ page, signInAs }) => {
  const address = newAddress();
  const { session_jwt } = await signInAs(address, { roles: ['editor'] });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
  expect(atob(session_jwt.split('.')[1] ?? '')).toContain('editor');
});
