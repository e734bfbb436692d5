import { expect, test } from './fixtures.ts';
import { SOAK } from '../soak.ts';

test(
  'the documentation finds an option, and shows it live beside its description',
  { tag: ['@react', '@soak'] },
  async ({ page, axe }) => {
    // In soaks axe looks at four pages, of which the reference is long.
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto('/docs');
    await expect(page.getByRole('heading', { level: 1, name: /sign-in for your own page/i })).toBeVisible();
    expect(await axe(page)).toEqual([]);

    await test.step('the search opens by a key and leads to the option', async () => {
      // The page hears keys once its script has run.
      await expect(async () => {
        await page.keyboard.press('/');
        await expect(page.getByRole('searchbox')).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await page.getByRole('searchbox').fill('borderRadius');
      const found = page.getByRole('option').filter({ hasText: 'borderRadius' }).first();
      await expect(found).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/docs\/configuration#styles/);
    });

    await test.step('its link changes the widget beside it', async () => {
      const frame = page.frameLocator('iframe[name=live-example]');
      const card = frame.locator('[data-part=container]');
      await expect(card).toBeVisible();
      const corners = () => card.evaluate((one) => getComputedStyle(one).borderTopLeftRadius);
      expect(await corners()).toBe('16px');
      await page.locator('#stylescontainer-borderradius ~ .try a').first().click();
      await expect(page.getByText('The corners of the card are round.').last()).toBeVisible();
      await expect.poll(corners).toBe('24px');
      await expect(page.locator('iframe[name=live-example]')).toBeInViewport({ ratio: 0.9 });
      await expect(page).toHaveURL(/\/docs\/configuration/);
      if (SOAK) expect(await axe(page)).toEqual([]);
    });

    await test.step('a type leads to its section in the reference', async () => {
      await page.locator('#config-products ~ .option-type a').first().click();
      await expect(page).toHaveURL(/\/docs\/api\/portico#Products$/);
      await expect(page.getByRole('heading', { name: /^Products/ })).toBeInViewport();
      await page.getByRole('switch', { name: 'Appearance' }).first().click();
      await expect(page.locator('html')).toHaveClass(/dark/);
      if (SOAK) expect(await axe(page)).toEqual([]);
    });

    await test.step('on a phone the example folds away, and opens with its link', async () => {
      await page.setViewportSize({ width: 320, height: 700 });
      await page.goto('/docs/configuration');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      const beside: string[] = [];
      for (let count = 0; count < 30; count += 1) {
        await page.keyboard.press('Tab');
        const text = await page.evaluate(() => {
          const { right = 0 } = document.activeElement?.getBoundingClientRect() ?? {};
          return right <= 0 ? (document.activeElement?.textContent ?? '') : null;
        });
        if (text !== null) beside.push(text);
      }
      expect(beside).toEqual([]);
      const fold = page.getByRole('group').filter({ hasText: 'Live example' });
      await expect(fold.locator('iframe')).toBeHidden();
      await page.evaluate(() => {
        location.hash = '#every-mount-strings';
      });
      const option = page.locator('#every-mount-strings');
      await expect(option).toBeInViewport();
      const below = async () => ((await option.boundingBox())?.y ?? 0) - ((await fold.boundingBox())?.y ?? 0);
      await expect.poll(below, 'the bar of the example covers no target of a link').toBeGreaterThan(50);
      // A widget whose language takes longer than three seconds on a busy machine is in English, so the link is pressed again.
      await expect(async () => {
        await page.locator('#every-mount-language ~ .try a').first().click();
        await expect(fold.frameLocator('iframe').getByRole('heading', { name: /anmelden/i })).toBeVisible({
          timeout: 5_000,
        });
      }).toPass();
    });
  },
);
