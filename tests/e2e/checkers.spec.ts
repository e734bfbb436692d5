import type { Page } from '@playwright/test';
import { LANGUAGES } from '#domain/widget/language.ts';
import { addAuthenticator } from './authenticator.ts';
import { findings } from './checkers.ts';
import { expect, test } from './fixtures.ts';
import { MAIN_SCREENS, PRESETS } from './gallery-screens.ts';
import { serveOperators } from './operators-page.ts';

/** The checkers see each state as the only one of its page: alone its landmarks and forms have the names that they have in an app. */
async function checkStates(page: Page, query: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/gallery?${query}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const cards = await page.evaluateHandle(() => [...document.querySelectorAll('.card')]);
  const ids = await cards.evaluate((all) => all.map(({ id }) => id));
  expect(ids).not.toEqual([]);
  const found: string[] = [];
  for (const [at, id] of ids.entries()) {
    await cards.evaluate(
      (all, index) => document.querySelector('#shown')?.replaceChildren(...all.slice(index, index + 1)),
      at,
    );
    found.push(...(await findings(page)).map((one) => `${id}: ${one}`));
  }
  expect(found).toEqual([]);
}

test.beforeEach(({ trap }) => trap.allow(/TypeError: Cannot read properties of null|Failed to load resource/));

/** Each state once, in the languages and presets by turns. */
const PARTS = 32;
for (const part of Array.from({ length: PARTS }).keys()) {
  const [language, preset] = [LANGUAGES[part % 8], PRESETS[(part + (part >> 3)) % 8]];
  const title = `IBM's and Siteimprove's checkers find nothing in part ${part + 1} of the states, in the language ${language} and the preset ${preset}`;
  test(title, { tag: '@soak' }, async ({ page }) => {
    await checkStates(
      page,
      `screen=all&every=${PARTS}&from=${part}&scheme=light&language=${language}&preset=${preset}`,
    );
  });
}

const MAIN = MAIN_SCREENS.split(',');
const HALVES = [MAIN.slice(0, MAIN.length / 2), MAIN.slice(MAIN.length / 2)];
for (const [at, preset] of PRESETS.entries()) {
  for (const [half, screens] of HALVES.entries()) {
    const language = LANGUAGES[at % LANGUAGES.length];
    const title = `IBM's and Siteimprove's checkers find nothing in half ${half + 1} of the main screens in the dark, in the language ${language} and the preset ${preset}`;
    test(title, { tag: '@soak' }, async ({ page }) => {
      await checkStates(page, `fixture=${screens.join(',')}&scheme=dark&language=${language}&preset=${preset}`);
    });
  }
}

async function checkPage(page: Page, url: string): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // The inspector loads after the page.
  if ((await page.locator('#inspector').count()) > 0) await page.locator('portico-inspector').waitFor();
  await page.evaluate(async () => {
    await new Promise((idle) => requestIdleCallback(idle));
    // The checkers miss the label of what a closed part hides.
    for (const part of document.querySelectorAll('details')) part.open = true;
    // What a frame shows is a page, which is checked alone: the checkers take both for one, with two headings of the first level.
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
  });
  return findings(page);
}

for (const path of ['/', '/account', '/playground', '/docs/', '/docs/theming']) {
  test(`IBM's and Siteimprove's checkers find nothing on the page ${path}`, { tag: '@soak' }, async ({ page }) => {
    expect(await checkPage(page, path)).toEqual([]);
  });
}

test(
  "IBM's and Siteimprove's checkers find nothing in the live example of the documentation",
  { tag: '@soak' },
  async ({ page }) => {
    const found = await checkPage(page, '/embed?by=social');
    // Its content is the first that it has, so that there is nothing to skip.
    expect(found.filter((one) => !one.startsWith('SIA-R87 '))).toEqual([]);
  },
);

for (const path of ['/dev/inbox', '/dev/mails', '/dev/connections']) {
  const title = `IBM's and Siteimprove's checkers find nothing on the provider's page ${path}`;
  test(title, { tag: '@soak' }, async ({ page, providerUrl }) => {
    expect(await checkPage(page, `${providerUrl}${path}`)).toEqual([]);
  });
}

/** A mail is a part of the page that shows it, which has the landmarks. Outlook reads attributes that HTML no longer has. */
const OF_PAGES = /^(?:aria_content_in_landmark|skip_main_exists|SIA-R87|element_attribute_deprecated) /u;

test(
  "IBM's and Siteimprove's checkers find nothing in the HTML of a mail",
  { tag: '@soak' },
  async ({ page, providerUrl }) => {
    const mail = await page.request.get(`${providerUrl}/dev/mails/html`);
    // The preview runs no scripts, and the checkers are some.
    await page.setContent(await mail.text());
    expect((await findings(page)).filter((one) => !OF_PAGES.test(one))).toEqual([]);
  },
);

test("IBM's and Siteimprove's checkers find nothing on the operators' pages", { tag: '@soak' }, async ({ page }) => {
  const served = await serveOperators();
  const found: string[] = [];
  const check = async (path: string) => {
    found.push(...(await checkPage(page, `${served.origin}/operators/${path}`)).map((one) => `${path}: ${one}`));
  };
  try {
    await check('login');
    await addAuthenticator(page);
    await page.goto(served.link);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    for (const path of ['users', 'import', 'clients', 'agents', 'connections', 'keys', 'outbox', 'audit', 'people']) {
      await check(path);
    }
  } finally {
    await served.close();
  }
  expect(found).toEqual([]);
});
