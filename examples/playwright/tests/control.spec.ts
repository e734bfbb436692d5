import { expect, test } from 'portico/testing/playwright';

test('a code that has expired is told, and the next one signs in', async ({ page, inbox, control }) => {
  const address = `late-${crypto.randomUUID()}@example.com`;
  const passcode = page.getByRole('textbox', { name: /passcode/i });
  await page.goto('/');
  await page.getByRole('textbox', { name: /email/i }).fill(address);
  await page.getByRole('button', { name: /continue/i }).click();
  const code = await inbox.codeFor(address);
  await control.expireCodes(address);
  await passcode.pressSequentially(code);
  await expect(page.getByText('This passcode has expired. Send a new one.')).toBeVisible();
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await passcode.pressSequentially(await inbox.codeFor(address));
  await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
});

test('a visitor is told to wait, and that the network fails', async ({ page, control }) => {
  const call = 'POST /sdk/v1/otps/email/login_or_create';
  await control.refuse(call, 'too_many_requests', { retryAfterSeconds: 90, times: 1 });
  await page.goto('/');
  await page.getByRole('textbox', { name: /email/i }).fill('busy@example.com');
  await page.getByRole('button', { name: /continue/i }).click();
  await expect(page.getByText(/You can try again in 1:\d\d/)).toBeVisible();

  await control.drop(call, 'answer');
  await page.reload();
  await page.getByRole('textbox', { name: /email/i }).fill('busy@example.com');
  await page.getByRole('button', { name: /continue/i }).click();
  await expect(page.getByText('Unable to contact our servers.')).toBeVisible();
});

test('a session ends by the clock of the provider', async ({ page, person, control }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: `Hello, ${person.email}` })).toBeVisible();
  await control.clock.move({ hours: 2 });
  await page.reload();
  await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
});
