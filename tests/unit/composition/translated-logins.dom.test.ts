/** A page that the browser translates at any moment of a login, and shows in its own words again. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { translate } from '../../gallery/translator.ts';
import { oneOf } from '../../soak.ts';
import { ADA, closePages, field, loadParts, login, type Page } from './pressing/page.ts';

beforeAll(loadParts);
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  closePages();
});

const alerts = (): string =>
  [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('');
const codeOf = ({ world }: Page): string => world.server.codeFor(ADA) ?? '';
const otherThan = (code: string): string => (code === '000000' ? '111111' : '000000');
const isShown = (text: string) => () =>
  (document.querySelector('#place')?.textContent ?? '').includes(text) ? text : null;

type Step = (page: Page) => Promise<unknown>;
const FLOWS: Readonly<Record<string, readonly [config: LoginConfig, ...steps: readonly Step[]]>> = {
  'by a code': [
    { products: ['otp'], otpOptions: { methods: ['email'] } },
    (page) => page.fill('email', 'ada@'),
    async (page) => {
      await page.press('Continue with email');
      await page.until(() => (alerts() === 'Invalid email address.' ? true : null));
    },
    async (page) => {
      await page.fill('email', ADA);
      expect(alerts()).toBe('');
      await page.press('Continue with email');
      await page.shows('Enter passcode');
    },
    async (page) => {
      await page.fill('code', otherThan(codeOf(page)));
      await page.until(() => (alerts().includes('Invalid passcode') ? true : null));
      expect(document.body.textContent).not.toContain('Verifying passcode');
    },
    async (page) => {
      await page.press('Resend code');
      await page.until(isShown('Code sent'));
    },
    async (page) => {
      await page.world.clock.advance(3_000);
      await page.settle();
      expect(document.body.textContent).not.toContain('Code sent');
      await page.fill('code', codeOf(page));
      await page.shows('Success!');
    },
  ],
  'by a password': [
    { products: ['passwords'] },
    async (page) => {
      await page.fill('email', ADA);
      await page.press('Continue with email');
      await page.until(() => field('password'));
    },
    (page) => page.fill('password', 'abc'),
    (page) => page.fill('password', 'correct horse battery staple'),
    (page) => page.press('Back'),
    async (page) => {
      await page.shows('Sign up or log in');
      expect(field('email')?.value).toBe(ADA);
    },
  ],
  'by a wallet': [
    { products: ['crypto'] },
    async (page) => {
      page.tab.wallet.refuses = 'connect';
      await page.press('Continue with MetaMask');
      await page.shows('Looks like there was an error!');
    },
    async (page) => {
      page.tab.wallet.refuses = null;
      await page.press('Try again');
      await page.shows('Success!');
    },
  ],
};

/** Chrome's "Show original": each translated text gives way to the page's own. */
function showOriginal(): void {
  for (const outer of document.querySelectorAll('#place font')) {
    if (outer.parentElement?.localName !== 'font') outer.replaceWith(document.createTextNode(outer.textContent ?? ''));
  }
}

const CASES = Object.entries(FLOWS).flatMap(([way, [config, ...steps]]) =>
  steps.map((_, at) => [way, at, config, steps] as const),
);

describe('A login on a page that is translated', () => {
  it.each(oneOf(3, CASES))('(%s) goes on when that begins after step %i', async (_, at, config, steps) => {
    const page = await login(config);
    for (const [index, step] of steps.entries()) {
      if (index === at) stops.push(translate(document.body));
      await step(page);
    }
    expect(document.querySelectorAll('#place font').length).toBeGreaterThan(0);
  });

  it.each(oneOf(3, CASES, 1))(
    '(%s) goes on when the page shows its own words after step %i',
    async (_, at, config, steps) => {
      const page = await login(config);
      const stop = translate(document.body);
      stops.push(stop);
      for (const [index, step] of steps.entries()) {
        await step(page);
        if (index === at) {
          stop();
          showOriginal();
        }
      }
      expect(document.querySelectorAll('#place font')).toHaveLength(0);
    },
  );
});
