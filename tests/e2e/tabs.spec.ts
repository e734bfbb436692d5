import { SOAK } from '../soak.ts';
import { expect, test } from './fixtures.ts';
import { rest, skipCycle, stepTimeOf } from './stepped-time.ts';
import { askForCode, codeField, expectSignedIn, expectSignedOut, logOut, newAddress } from './visitor.ts';

const TABS = SOAK ? 10 : 3;

test(
  'tabs on one session ask once a cycle',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath, inbox, context }) => {
    let asked = 0;
    context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sdk/v1/sessions/authenticate')) asked += 1;
    });
    await stepTimeOf(context);
    const address = newAddress();
    await page.goto(demoPath);
    await askForCode(page, address);
    await codeField(page).fill(await inbox.codeFor(address));
    await expectSignedIn(page, address);
    const more = Array.from({ length: TABS - 1 }, async () => {
      const tab = await context.newPage();
      await tab.goto(demoPath);
      await expectSignedIn(tab, address);
      return tab;
    });
    const tabs = [page, ...(await Promise.all(more))];
    await rest(tabs);
    // Each tab checks the session that it finds when it opens, unless another has just done so.
    expect(asked).toBeLessThan(TABS);

    for (const cycle of [1, 2]) {
      asked = 0;
      await skipCycle(tabs);
      await expect.poll(() => asked, { message: `cycle ${cycle}` }).toBeGreaterThan(0);
      await rest(tabs);
      expect(asked, `cycle ${cycle}`).toBe(1);
    }

    const last = tabs.at(-1) ?? page;
    await logOut(last).click();
    await Promise.all(tabs.map(expectSignedOut));
  },
);
