/** Presses that begin on a button which then moves. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ALONE, forget, pageFor } from './password-visitor.ts';
import type { Walks } from '../gallery/walk-page.ts';
import { expectSignedIn, widget } from './visitor.ts';

interface WalkWindow {
  readonly __walks: Walks;
}

/** A press by mouse or by finger: where it begins, and how it ends at the same place. */
async function begin(page: Page, by: 'mouse' | 'finger', { x, y }: { readonly x: number; readonly y: number }) {
  if (by === 'mouse') {
    await page.mouse.move(x, y);
    await page.mouse.down();
    return () => page.mouse.up();
  }
  const channel = await page.context().newCDPSession(page);
  await channel.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  return async () => {
    await channel.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await channel.detach();
  };
}

for (const by of ['mouse', 'finger'] as const) {
  test(
    `a press by ${by} belongs to the button on which it began, although an answer moves the button away`,
    // Playwright has fingers in Chromium only.
    { tag: by === 'mouse' ? '@every' : '@soak' },
    async ({ page, demoPath, inbox }) => {
      const { address, reset } = await forget(page, inbox, pageFor(demoPath, ALONE));
      let answer = (): void => undefined;
      const held = new Promise<void>((done) => {
        answer = done;
      });
      await page.route('**/passwords/email/reset/check', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(reset);
      const button = widget(page).getByRole('button', { name: 'Login without a password' });
      // The styles of the first use do not move the button.
      await button.hover();
      const box = async () => (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const { x, y, width, height } = await box();
      const end = await begin(page, by, { x: x + width / 2, y: y + height / 2 });
      answer();
      await expect.poll(async () => (await box()).y).toBeGreaterThan(y + height);
      await end();
      await expectSignedIn(page, address);
    },
  );
}

/** Each press begins this much later than the one before, up to a second. */
const STEP_MS = 20;
const STEPS = 50;

/** One press on a button of a screen, and what was wrong with it; null if the press did not begin on the button. */
async function pressOne(page: Page, turn: number): Promise<string | null> {
  // In every other turn an answer arrives during the press.
  const isChanged = turn % 2 === 1;
  const wait = (turn % STEPS) * STEP_MS;
  const { screen, state, place } = await page.evaluate(
    async ([at, ms]) => {
      const { screens, pressed } = (window as unknown as WalkWindow).__walks;
      const name = screens[(at * 7) % screens.length] ?? '';
      const round = Math.floor(at / screens.length);
      return { screen: name, state: round, place: await pressed.show(name, round, ms) };
    },
    [turn, wait] as const,
  );
  if (place === null) return null;
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  if (isChanged)
    await page.evaluate((next) => (window as unknown as WalkWindow).__walks.pressed.change(next), state + 2);
  await page.mouse.up();
  const outcome = await page.evaluate(async () => (window as unknown as WalkWindow).__walks.pressed.outcome());
  if (outcome === null || !outcome.isHit) return null;
  const what = `${screen}, state ${state}, ${place.name}, after ${wait} ms${isChanged ? ', changed' : ''}`;
  if (outcome.others.length > 0) return `${what}: a click on ${outcome.others.join()}`;
  if (outcome.isThere && outcome.clicks !== 1) return `${what}: ${outcome.clicks} clicks`;
  if (isChanged) return '';
  const calm = await page.evaluate(
    async ([name, at, button]) => (window as unknown as WalkWindow).__walks.pressed.calmIntents(name, at, button),
    [screen, state, place.name] as const,
  );
  return String(calm) === String(outcome.intents)
    ? ''
    : `${what}: ${outcome.intents.join()} in place of ${calm?.join()}`;
}

for (const tries of [12, 200]) {
  test(
    `${tries} presses on the buttons of the screens act once each, on a slow processor, while the screens change`,
    { tag: tries > 12 ? ['@every', '@soak'] : '@every' },
    async ({ page, demoPath, trap }) => {
      // A press and its state at rest take some two seconds, on a busy machine eight.
      test.setTimeout(Math.max(300_000, tries * 8_000));
      trap.allow(/TypeError: Cannot read properties of null|Failed to load resource/);
      await page.goto(demoPath === '/' ? '/gallery/walk' : '/gallery/without-react/walk');
      await page.waitForSelector('html[data-ready]', { state: 'attached' });
      await page.evaluate(() => (window as unknown as WalkWindow).__walks.pressed.slowDown());
      const wrong: (string | null)[] = [];
      for (let turn = 0; turn < tries; turn += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        wrong.push(await pressOne(page, turn));
      }
      expect(wrong.filter((one) => one !== null && one !== '')).toEqual([]);
      // The others had moved by the time of the press.
      expect(wrong.filter((one) => one !== null).length).toBeGreaterThan(tries / 2);
    },
  );
}
