import type { Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';
import { SOAK } from '../soak.ts';
import { expect, test } from './fixtures.ts';
import { MAIN_SCREENS, openGallery as open, overflowing, PRESETS } from './gallery-screens.ts';

/** Shows the cards in another way without loading them anew. */
const turn = (page: Page, change: { readonly width?: string; readonly dir?: string; readonly scheme?: string }) =>
  page.evaluate(({ width, dir, scheme }) => {
    for (const card of document.querySelectorAll<HTMLElement>('.card')) {
      if (width) card.className = `card w${width}`;
      if (dir) card.dir = dir;
      const container = card.firstElementChild as HTMLElement;
      if (scheme) container.dataset['porticoScheme'] = scheme;
    }
    if (scheme) document.documentElement.dataset['scheme'] = scheme;
  }, change);

test.beforeEach(({ trap }) => trap.allow(/TypeError: Cannot read properties of null|Failed to load resource/));

test('the gallery stands still while it plays its states', { tag: '@soak' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 760 });
  await page.addInitScript(() => {
    addEventListener('scroll', () => (document.documentElement.dataset['scrolled'] = ''));
  });
  await open(page, 'screen=PasswordCreateOrLogin');
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(2 * 760);
  await expect(page.locator('html')).not.toHaveAttribute('data-scrolled');
});

test(
  'the gallery opens on an index, which leads to every screen, and each of them back',
  { tag: '@soak' },
  async ({ page, axe }) => {
    await open(page, '');
    const tiles = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /states?$/ }) });
    expect(await tiles.count()).toBeGreaterThan(20);
    // The pictures of the screens are no fields and buttons of the index.
    await expect(page.getByRole('textbox')).toHaveCount(0);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: /^OTPAuthenticate/ }).click();
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    expect(await page.locator('.card').count()).toBeGreaterThan(5);
    const dark = page.getByRole('switch', { name: 'Dark scheme' });
    await dark.click();
    await expect(page.locator('#fixture-otp [data-portico-scheme]')).toHaveAttribute('data-portico-scheme', 'dark');
    await page.getByLabel('Language').selectOption('ar');
    await page.waitForURL(/language=ar/);
    await expect(page.locator('#fixture-otp [data-portico]')).toHaveAttribute('dir', 'rtl');
    await expect(page.locator('#fixture-otp [data-part=container]')).toHaveAttribute('data-dir', 'rtl');
    await page.getByRole('link', { name: 'otp', exact: true }).click();
    await expect(page.locator('.card')).toHaveCount(1);
    expect(await axe(page)).toEqual([]);
    const trail = page.getByRole('navigation', { name: 'Path' });
    await trail.getByRole('link', { name: 'OTPAuthenticate' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'OTPAuthenticate' })).toBeVisible();
    await trail.getByRole('link', { name: 'Gallery' }).click();
    await expect(page).toHaveURL(/\/gallery\/?\?language=ar$/);
    await open(page, 'scheme=light');
    await expect(dark).not.toBeChecked();
    await dark.click();
    await page.waitForURL(/\/gallery\/?$/);
    await expect(dark).toBeChecked();
    await page.getByRole('link', { name: 'Portico', exact: true }).click();
    await expect(page).toHaveURL(/^[^?]+:\d+\/$/);
  },
);

/** How far the mark of the last login stands above or below the label that it belongs to, the button for a passkey ends before its field, and the logo of a project stands above or below the app's letter. */
const besideField = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => {
    const box = (selector: string): DOMRect => {
      const found = document.querySelector(selector);
      if (found === null) throw new Error(`There is no ${selector}.`);
      return found.getBoundingClientRect();
    };
    const middle = ({ top, bottom }: DOMRect): number => (top + bottom) / 2;
    const marked = '#fixture-social-last-used-email [data-part=forms]';
    const linked = '#fixture-passkey-link [data-part=form]';
    const marks = '#fixture-consent-verified [data-part=marks]';
    const [link, field] = [box(`${linked} [data-look=secondary]`), box(`${linked} [data-part=input]`)];
    return [
      middle(box(`${marked} > [data-part=last-used]`)) - middle(box(`${marked} [data-part=label]`)),
      Math.min(Math.abs(field.right - link.right), Math.abs(link.left - field.left)),
      middle(box(`${marks} > [data-part=logo]`)) - middle(box(`${marks} > [data-part=app-mark]`)),
    ].map((distance) => Math.abs(Math.round(distance)));
  });

/** The lines of titles, texts and buttons that begin with what a line of Japanese cannot begin with. */
const wrongLines = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const wrong = /^(?:[をがはへのねゃゅょぁぃぅぇぉァィゥェォッャュョー、。」？！…]|に(?!ほ)|と(?!き)|で(?!き)|っ)/u;
    const range = document.createRange();
    return [
      ...document.querySelectorAll<HTMLElement>('.card [lang=ja] :is(h1, [data-part=text], button span)'),
    ].flatMap((one) => {
      const { firstChild: text } = one;
      // A label alone that is hidden from view has a width of a pixel; a host's hostile name breaks where it must.
      if (!(text instanceof Text) || one.offsetWidth < 20 || /javascript:/u.test(one.textContent)) return [];
      let below = 0;
      return Array.from(text.data).flatMap((_, index) => {
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        const { top, bottom } = range.getBoundingClientRect();
        const isNext = below > 0 && top >= below - 4;
        if (below === 0 || isNext) below = bottom;
        return isNext && wrong.test(text.data.slice(index)) ? [text.data] : [];
      });
    });
  });

const localeOf = (page: Page): Promise<string> =>
  page
    .locator('.card [data-portico]')
    .first()
    .evaluate((root) => getComputedStyle(root).getPropertyValue('-webkit-locale'));

// The longest words, the tightest lines, the other direction, and two scripts without spaces; Spanish and French are between them.
for (const language of ['de', 'ja', 'ar', 'pt', 'zh']) {
  test(`nothing reaches out of its card, 320 px, in the language ${language}`, { tag: '@soak' }, async ({ page }) => {
    await open(page, `screen=all&every=1&width=320&language=${language}`);
    expect(await overflowing(page)).toEqual([]);
    if (language === 'ja') {
      expect(await localeOf(page)).toBe('"ja"');
      expect(await wrongLines(page)).toEqual([]);
    }
    if (language === 'zh') expect(await localeOf(page)).toBe('"zh-Hans"');
  });
}

/** Rules of a whole page, which a hundred cards on one cannot keep. */
const OFF = { enabled: false };
const RULES = {
  'page-has-heading-one': OFF,
  'heading-order': OFF,
  'landmark-unique': OFF,
  region: OFF,
  'aria-hidden-focus': OFF,
  // Of WCAG 2.2, which axe leaves out unless asked.
  'target-size': { enabled: true },
};

/** Between the schemes nothing but colours differs. */
const rulesFor = (scheme: 'light' | 'dark'): RunOptions =>
  scheme === 'light' ? { rules: RULES } : { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Those that a host painted, and those of `besideField`. */
const PARTICULAR = 'themed-white-card,themed-night,social-last-used-email,passkey-link,consent-verified';

// One page for both: to show the fixtures takes longer than to look at them.
test(`axe finds nothing in ${SOAK ? 'any fixture' : 'the main screens'}, light or dark, and nothing reaches out of its card, at 320, 400 and 768 px, left and right`, async ({
  page,
  axe,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, `${SOAK ? 'screen=all' : `fixture=${MAIN_SCREENS},${PARTICULAR}`}&width=400&scheme=light`);
  // Cards that a host painted keep their scheme.
  const painted = page.locator('#fixture-themed-white-card, #fixture-themed-night');
  await painted.evaluateAll((cards) => cards.forEach((card) => card.classList.remove('card')));
  for (const scheme of ['light', 'dark'] as const) {
    await turn(page, { scheme });
    const found = await axe(page, rulesFor(scheme));
    const named = found.map(({ id, nodes }) => [id, nodes.slice(0, 5).map(({ target, html }) => [target, html])]);
    expect(named, scheme).toEqual([]);
  }
  await painted.evaluateAll((cards) => cards.forEach((card) => card.classList.add('card')));
  // The account page has two columns at 768 px.
  for (const width of ['320', '400', '768']) {
    for (const dir of ['ltr', 'rtl']) {
      await turn(page, { width, dir });
      expect(await overflowing(page), `${width} px, ${dir}`).toEqual([]);
      expect(await besideField(page), `${width} px, ${dir}`).toEqual([0, 0, 0]);
    }
  }
});

test(
  'on the account page, facts begin at the edge of their lines, a code has one line, and texts stand where they belong',
  { tag: '@soak' },
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, 'fixture=account,account-empty,account-password,account-recovery-codes&preset=modern');
    const shifts = await page.locator('[data-part=facts] > *').evaluateAll((facts) =>
      facts.map((fact) => {
        const room = fact.parentElement?.getBoundingClientRect();
        const { left } = fact.getBoundingClientRect();
        return left - (room?.left ?? 0);
      }),
    );
    // The place of the dot is outside the line, which cuts it off.
    expect(shifts.filter((shift) => shift < 0).every((shift) => Math.round(shift) === -12)).toBe(true);
    expect(shifts.filter((shift) => shift < 0).length).toBeGreaterThan(2);
    const lines = await page
      .locator('[data-part=codes] li')
      .evaluateAll((codes) => codes.map((code) => Math.round(code.getBoundingClientRect().height)));
    expect(new Set(lines)).toEqual(new Set([24]));
    const top = async (text: string): Promise<number> =>
      page.getByText(text, { exact: true }).evaluate((one) => one.getBoundingClientRect().top);
    const hint = await top('Saving signs you out on your other devices.');
    expect(hint).toBeGreaterThan(await top('Suggest a passphrase'));
    expect(hint).toBeLessThan(await top('Continue'));
    const gaps = await page.locator('#fixture-account-empty').evaluate((card) =>
      ['passkeys', 'password'].map((name) => {
        const at = (part: string): number =>
          card.querySelector(`[data-section=${name}] ${part}`)?.getBoundingClientRect().top ?? Number.NaN;
        return Math.round(at('[data-part=text]') - at('h2'));
      }),
    );
    expect(gaps[0]).toBe(gaps[1]);
  },
);

/** The field of a passcode is transparent over the boxes that show its digits; a sign beside a text is no text. */
const NO_TEXTS = /^equalRatio: <input [^>]*data-part="passcode-input"|^nonBmp: <span aria-hidden="true">/u;

for (const preset of PRESETS) {
  test(
    `axe finds nothing in the preset ${preset}, computes each contrast, and nothing reaches out of its card`,
    { tag: '@soak' },
    async ({ page, axe, uncomputed }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await open(page, `fixture=${MAIN_SCREENS}&preset=${preset}&scheme=light`);
      for (const scheme of ['light', 'dark'] as const) {
        await turn(page, { scheme });
        const found = await axe(page, rulesFor(scheme));
        expect(
          found.map(({ id, nodes }) => [id, nodes.slice(0, 5).map(({ target, html }) => [target, html])]),
          scheme,
        ).toEqual([]);
        expect(
          (await uncomputed(page)).filter((one) => !NO_TEXTS.test(one)),
          scheme,
        ).toEqual([]);
      }
      await turn(page, { width: '320' });
      expect(await overflowing(page)).toEqual([]);
    },
  );
}
