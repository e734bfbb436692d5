/** The rules of a page, important or not, change nothing that a person sees of the widget. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { SOAK } from '../soak.ts';

/** What a person sees of an element, and the room that it takes. */
const PROPERTIES = [
  'color background-color fill stroke display float visibility opacity cursor appearance width height',
  'font-family font-size font-style font-weight letter-spacing text-transform text-align',
  'border-top-width border-top-style border-top-color border-left-width border-top-left-radius',
  'padding-top padding-left margin-top margin-bottom',
].flatMap((names) => names.split(' '));

/** What each element of every widget looks like, and whether it draws something before or after itself. */
async function looks(page: Page, query: string): Promise<ReadonlyMap<string, string>> {
  await page.goto(`/gallery?width=400&scheme=light&every=${SOAK ? 1 : 4}${query}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const said = await page.evaluate((properties) => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    const looksOf = (card: Element): (readonly [string, string])[] =>
      [...card.querySelectorAll('[data-portico], [data-portico] *')].flatMap((element, index) => {
        const name = `${card.id} ${index} ${element.getAttribute('data-part') ?? element.localName}`;
        const style = getComputedStyle(element);
        // A picture has no letters. The longest name of a country fits on one line just so: whether it wraps differs from visit to visit.
        const isPicture = element.closest('svg') !== null;
        const mayWrap =
          element.matches('[data-part=country-option]') || element.querySelector('[data-part=country-option]') !== null;
        const seen = properties.filter(
          (property) => !(isPicture && property === 'letter-spacing') && !(mayWrap && property === 'height'),
        );
        return [
          ...seen.map((property) => [`${name}: ${property}`, style.getPropertyValue(property)] as const),
          ...['::before', '::after'].map(
            (pseudo) => [`${name}: ${pseudo}`, getComputedStyle(element, pseudo).content] as const,
          ),
        ];
      });
    // As text: Playwright takes ten seconds for so many arrays.
    return JSON.stringify([...document.querySelectorAll('.card')].flatMap(looksOf));
  }, PROPERTIES);
  return new Map(JSON.parse(said) as (readonly [string, string])[]);
}

for (const [screen, tag] of [
  ['Main', '@react'],
  ['OTPAuthenticate', '@soak'],
  ['PasswordResetForm', '@soak'],
  ['IDPConsent', '@soak'],
] as const) {
  test(`the worst rules of a page leave the looks of ${screen} alone`, { tag }, async ({ page, trap }) => {
    trap.allow(/TypeError: Cannot read properties of null|Failed to load resource/);
    const plain = await looks(page, `&screen=${screen}`);
    expect(plain.size).toBeGreaterThan(1_000);
    const hostile = await looks(page, `&screen=${screen}&hostile`);
    // The page's rules do apply outside the widget.
    await expect(page.getByRole('navigation', { name: 'Path' })).toHaveCSS('letter-spacing', '1px');
    expect(hostile.size).toBe(plain.size);
    const changed = [...plain].filter(([name, value]) => hostile.get(name) !== value);
    expect(changed.map(([name, value]) => `${name} ${value} > ${hostile.get(name)}`)).toEqual([]);
  });
}
