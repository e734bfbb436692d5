import { expect, test } from './fixtures.ts';

test('a mail is no wider than a phone, even with a long word in its title, which stays whole', async ({
  page,
  providerUrl,
}) => {
  await page.setViewportSize({ width: 360, height: 760 });
  for (const language of ['de', 'fr']) {
    await page.goto(`${providerUrl}/dev/mails/html?notice=recovery_code&language=${language}&scheme=light`);
    await expect(page.getByRole('heading')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    // A word on two lines has two boxes.
    const lines = await page.getByRole('heading').evaluate((title) => {
      const text = title.firstChild as Text;
      const longest = text.data.split(' ').reduce((best, word) => (word.length > best.length ? word : best), '');
      const range = document.createRange();
      range.setStart(text, text.data.indexOf(longest));
      range.setEnd(text, text.data.indexOf(longest) + longest.length);
      return range.getClientRects().length;
    });
    expect(lines, language).toBe(1);
  }
});
