import { SOAK } from '../soak.ts';
import { isBound, refresh, storedKeys, test, tokensOf } from './bound-demo.ts';
import { expect } from './fixtures.ts';
import {
  askForCode,
  codeField,
  expectConfirmed,
  expectSignedIn,
  expectSignedOut,
  logOut,
  newAddress,
} from './visitor.ts';

/** How often a copied token is tried in another profile. */
const COPIES = SOAK ? 25 : 1;

const TITLE =
  'a session of a bound client lives through reload, tab and refresh, and its token is worth nothing elsewhere';
test(TITLE, { tag: '@every' }, async ({ page, context, demoPath, inbox, trap, providerUrl }) => {
  trap.allow(/status of 401/u);
  const address = newAddress();
  await page.goto(demoPath);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address));
  await expectSignedIn(page, address);
  expect(await isBound(page)).toBe(true);
  expect(await storedKeys(page)).toEqual([[false, 'InvalidAccessError']]);

  await page.reload();
  await expectSignedIn(page, address);
  await expectConfirmed(page);
  const tab = await context.newPage();
  await tab.goto(demoPath);
  await expectSignedIn(tab, address);
  await expectConfirmed(tab);
  expect(await refresh(tab)).toBe(await refresh(page));

  // What a program reads from the disk, or a script of the page sends away.
  const tokens = await tokensOf(page);
  const token = await page.evaluate(
    async () => ((await (await fetch('/config.json')).json()) as { publicToken: string }).publicToken,
  );
  for (const secret of [tokens?.session_token, tokens?.session_jwt]) {
    // oxlint-disable-next-line no-await-in-loop -- one copy after the other
    const reply = await fetch(`${providerUrl}/sdk/v1/sessions/authenticate`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${token}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    // oxlint-disable-next-line no-await-in-loop
    expect([reply.status, ((await reply.json()) as { error_type: string }).error_type]).toEqual([
      401,
      'session_proof_required',
    ]);
  }
  const browser = context.browser();
  const thief = await browser!.newContext();
  trap.watch(thief);
  const copied = await thief.newPage();
  for (let copy = 1; copy <= COPIES; copy += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one copy after the other
    await thief.addCookies(await context.cookies());
    const refused = copied.waitForResponse(
      (response) => response.url().endsWith('/sdk/v1/sessions/authenticate') && response.status() === 401,
    );
    // oxlint-disable-next-line no-await-in-loop
    await copied.goto(new URL(demoPath, page.url()).href);
    // oxlint-disable-next-line no-await-in-loop
    await Promise.all([refused, expectSignedOut(copied)]);
  }
  await thief.close();

  expect(await refresh(page)).toBeTruthy();
  await logOut(page).click();
  await expectSignedOut(page);
  await expectSignedOut(tab);
  await expect.poll(async () => storedKeys(page)).toEqual([]);
  await tab.close();
});
