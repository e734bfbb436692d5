import { expect, test } from './fixtures.ts';

test('a mail is no wider than a phone, even with a long word in its title', async ({ page, providerUrl }) => {
  await page.setViewportSize({ width: 360, height: 760 });
  for (const language of ['de', 'fr']) {
    await page.goto(`${providerUrl}/dev/mails/html?notice=recovery_code&language=${language}&scheme=light`);
    await expect(page.getByRole('heading')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
});
