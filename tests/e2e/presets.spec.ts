import { chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, ensureBrowser } from '#scripts/lib/browsers.ts';
import { encode } from '../../demo/parts/codec.ts';
import { expect, test } from './fixtures.ts';
import { askForCode, emailField, heading, newAddress, sendButton, widget } from './visitor.ts';

const FILE = /\/themes-[\w-]+\.js$/;

/** What somebody has seen: each look of the card that was painted, in order. */
async function watchLooks(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const looks: string[] = [];
    (window as unknown as { looks: string[] }).looks = looks;
    const look = (): void => {
      const card = document.querySelector('#widget [data-part=container]');
      const place = card?.closest('[data-portico-preset]');
      const shown = card && (place?.getAttribute('data-portico-preset') ?? 'default');
      if (typeof shown === 'string' && looks.at(-1) !== shown) looks.push(shown);
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (window as unknown as { looks: string[] }).looks);
}

/** Holds the file of the presets back. The time after which the default look would show is longer then: a busy machine may take it. */
async function holdFile(page: Page): Promise<() => void> {
  await page.addInitScript(() => {
    const after = window.setTimeout.bind(window);
    window.setTimeout = ((task: () => void, ms = 0) =>
      after(task, ms < 3_000 ? ms : ms * 1_000)) as typeof window.setTimeout;
  });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(FILE, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/**
 * How often the card's height began to move, with what it has no room for yet held back, while something was done; frames may be
 * dropped on a busy machine, events are not.
 */
async function movesOf(page: Page, action: () => Promise<void>): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { moves: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    const card = document.querySelector('#widget [data-part=container]');
    card?.addEventListener('transitionrun', (event) => {
      const { propertyName, target } = event as TransitionEvent;
      if (target !== card || !/^(?:height|block-size)$/u.test(propertyName)) return;
      if (getComputedStyle(card).overflowY === 'clip') seen.moves += 1;
    });
  });
  await action();
  return () => page.evaluate(() => (window as unknown as { seen: { moves: number } }).seen.moves);
}

/** Whether the content of the card begins to fade in. */
async function fadesOf(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => {
    const content = document.querySelector<HTMLElement>('#widget [data-part=content]');
    content?.addEventListener('transitionrun', ({ target, propertyName }) => {
      if (target === content && propertyName === 'opacity') content.dataset['faded'] = '';
    });
  });
  return async () => (await widget(page).locator('[data-part=content][data-faded]').count()) === 1;
}

test(
  'a preset that is named shows without the default look before it, and its height moves gently',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    const looks = await watchLooks(page);
    const release = await holdFile(page);
    const styles = { preset: 'soft', buttons: { primary: { borderRadius: '3px' } } };
    await page.goto(`${demoPath}?styles=${encode(styles)}`);
    await expect.poll(looks).toEqual(['']);
    // Neutral bars: no text and no colour of the default look.
    await expect(widget(page).locator('[data-part=input]')).toBeHidden();
    await expect(widget(page).locator('[data-part=container]')).toHaveCSS('border-top-left-radius', '16px');
    const faded = await fadesOf(page);
    release();
    await expect.poll(looks).toEqual(['', 'soft']);
    await expect.poll(faded).toBe(true);
    // The host's own radius wins over the preset's.
    const look = () =>
      sendButton(page).evaluate((one) => {
        const { backgroundColor, borderTopLeftRadius, fontFamily } = getComputedStyle(one);
        return [backgroundColor, borderTopLeftRadius, fontFamily.includes('system-ui')];
      });
    await expect.poll(look).toEqual(['rgb(10, 99, 209)', '3px', true]);
    expect(await axe(page)).toEqual([]);

    const moves = await movesOf(page, async () => askForCode(page, newAddress()));
    await expect.poll(moves).toBeGreaterThan(0);
    await expect(widget(page).locator('[data-moves]')).toHaveCount(0);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await widget(page).locator('[data-part=back]').click();
    await expect(heading(page, 'Sign up or log in')).toBeVisible();
    const still = await movesOf(page, async () => askForCode(page, newAddress()));
    expect(await still()).toBe(0);
  },
);

test(
  'a preset whose file cannot be loaded leaves the default look',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(/Failed to load resource|ERR_FAILED/);
    const told: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('styles.preset')) told.push(message.text());
    });
    await page.route(FILE, async (route) => route.abort());
    await page.goto(`${demoPath}?styles=${encode({ preset: 'ocean' })}`);
    await expect
      .poll(() => sendButton(page).evaluate((one) => getComputedStyle(one).backgroundColor))
      .toBe('rgb(25, 48, 61)');
    await expect.poll(() => told).toEqual([expect.stringContaining("styles.preset 'ocean' shows the default look")]);
  },
);

test('the first look of a preset begins at none before it, and the card keeps its height', async ({
  page,
  demoPath,
}) => {
  const release = await holdFile(page);
  await page.goto(`${demoPath}?by=passcode&styles=${encode({ preset: 'ocean' })}`);
  const card = widget(page).locator('[data-part=container]');
  await expect(card).toBeVisible();
  await expect(widget(page).locator('[data-part=input]')).toBeHidden();
  const heightOf = () => card.evaluate((one) => one.getBoundingClientRect().height);
  const before = await heightOf();
  await card.evaluate((one) => {
    const begun: string[] = [];
    (window as unknown as { begun: string[] }).begun = begun;
    one.addEventListener('transitionrun', (event) => {
      const { target, propertyName } = event as TransitionEvent;
      begun.push(`${(target as Element).getAttribute('data-part')} ${propertyName}`);
    });
  });
  release();
  await expect(sendButton(page)).toHaveCSS('background-color', 'rgb(10, 91, 181)');
  await expect(page.locator('[data-portico-arrives]')).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { begun: string[] }).begun)).toEqual(['content opacity']);
  expect(await heightOf()).toBe(before);
  // What is seen now changes gently again.
  await expect(sendButton(page)).toHaveCSS('transition-duration', '0.14s');
});

test(
  'type follows the browser’s size, whatever the page says about its root, and nothing is cut at 320 px',
  { tag: '@soak' },
  async ({ baseURL, demoPath }) => {
    const large = await chromium.launch({
      executablePath: ensureBrowser(),
      args: [...BROWSER_ARGS, '--blink-settings=defaultFontSize=32'],
    });
    try {
      const page = await large.newPage({ viewport: { width: 320, height: 800 } });
      await page.goto(`${baseURL}${demoPath}?by=all&theme=default`);
      const sizes = async () =>
        page.evaluate(() => {
          const of = (selector: string) => getComputedStyle(document.querySelector(`#widget ${selector}`)!);
          return [of('[data-part=title]').fontSize, of('[data-part=label]').fontSize, of('[data-part=input]').height];
        });
      await expect(widget(page).locator('[data-part=title]')).toBeVisible();
      expect(await sizes()).toEqual(['48px', '28px', '94px']);
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '62.5%'));
      expect(await sizes()).toEqual(['48px', '28px', '94px']);
      const hint = widget(page).locator('[data-part=email-hint]');
      await emailField(page).fill('ada.lovelace@gmial.com');
      await expect(hint).toBeVisible();
      const outside = await page.evaluate(() => {
        const card = document.querySelector('#widget [data-part=container]')!;
        const { left, right } = card.getBoundingClientRect();
        return [...card.querySelectorAll('[data-part]')]
          .map((one) => ({ part: one.getAttribute('data-part'), box: one.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 1 && (box.left < left - 1 || box.right > right + 1))
          .map(({ part }) => part);
      });
      expect(outside).toEqual([]);
    } finally {
      await large.close();
    }
  },
);
