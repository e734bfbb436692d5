import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { LANGUAGES, type Language } from '#domain/widget/language.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { loadLocale, localeOf } from '#presentation/messages/language.ts';
import { textOf, Refusal } from '#domain/rules/refusal.ts';
import { GOOD } from '../../application/passwords/open-passwords.ts';
import { TestWorld } from '../../application/world.ts';
import { ADA, AT, closePages, loadParts, Page } from './page.ts';

beforeAll(loadParts);
afterEach(closePages);

const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const PHONES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['sms'] } };
const LINKS: LoginConfig = { products: ['emailMagicLinks'] };
const PASSWORDS: LoginConfig = { products: ['passwords'] };
const WALLETS: LoginConfig = { products: ['crypto'] };
const PASSKEYS: LoginConfig = { products: ['passkeys'], passkeyOptions: { signUp: true } };

const REFUSAL = textOf(new Refusal('sign_up_refused'));
const shown = (): string => document.querySelector('#place')?.textContent ?? '';
const setSignUp = ({ world }: Page, rules: Partial<SignUpRules>): void => {
  world.server.settings.signUp = { policy: 'open', domains: [], roles: [], ...rules };
};

async function open(config: LoginConfig, language?: Language): Promise<Page> {
  const page = new Page({ world: new TestWorld() });
  page.world.server.settings.passkeySignUp = true;
  page.client.mountLogin({ ...AT, config, callbacks: page.callbacks, ...(language ? { language } : {}) });
  await page.until(() => document.querySelector('button'));
  return page;
}

const withCode = (config: LoginConfig, type: string, value: string, button: string) => async (): Promise<Page> => {
  const page = await open(config);
  await page.fill(type, value);
  await page.press(button);
  await page.shows('Enter passcode');
  return page;
};

interface Way {
  /** Everything before the door closes. */
  readonly begin: () => Promise<Page>;
  /** The last step of the person. */
  readonly end: (page: Page) => Promise<void>;
}

const enterCode = async (page: Page): Promise<void> => {
  await page.fill('code', page.world.server.inbox[0]?.code ?? '');
};

/** Every way of the widget that makes a user in it. */
const WAYS: Readonly<Record<string, Way>> = {
  'a code by email': { begin: withCode(CODES, 'email', ADA, 'Continue with email'), end: enterCode },
  'a code by text': { begin: withCode(PHONES, 'tel', '(415) 555-2671', 'Continue with text'), end: enterCode },
  'a password': {
    begin: async () => {
      const page = await open(PASSWORDS);
      await page.fill('email', ADA);
      await page.press('Continue with email');
      await page.shows('Finish creating your account by setting a password.');
      await page.fill('password', GOOD);
      return page;
    },
    end: (page) => page.press('Continue'),
  },
  'a passkey': {
    begin: async () => {
      const page = await open(PASSKEYS);
      await page.press('Create account with passkey');
      await page.fill('email', ADA);
      return page;
    },
    end: (page) => page.press('Create account with passkey'),
  },
  'a wallet': { begin: () => open(WALLETS), end: (page) => page.press('Continue with MetaMask') },
};

describe('a sign-up that is not open', () => {
  it.each(Object.entries(WAYS))('is explained to a person who comes by %s', async (_, { begin, end }) => {
    const page = await begin();
    expect(shown()).not.toContain(REFUSAL);
    setSignUp(page, { policy: 'closed' });
    await end(page);
    await page.until(() => (shown().includes(REFUSAL) ? true : null));
    expect(page.client.session.getSync()).toBeNull();
  });

  it.each(Object.entries(WAYS))(
    'is none to a person who comes by %s while everybody may',
    async (_, { begin, end }) => {
      const page = await begin();
      await end(page);
      await page.until(() => page.client.session.getSync());
      expect(shown()).not.toContain(REFUSAL);
    },
  );

  it.each([
    ['a link', LINKS, 'Check your email'],
    ['a code', CODES, 'Enter passcode'],
  ])('looks the same to a stranger and to a user who requests %s', async (_, config, title) => {
    const page = await open(config);
    await page.world.signIn(page.world.open().client, ADA);
    setSignUp(page, { policy: 'closed' });
    const screens: string[] = [];
    for (const address of [ADA, 'eve@example.com']) {
      closePages();
      const visit = new Page({ world: page.world });
      visit.client.mountLogin({ ...AT, config, callbacks: visit.callbacks });
      await visit.fill('email', address);
      await visit.press('Continue with email');
      await visit.shows(title);
      screens.push(shown().replaceAll(address, 'ADDRESS'));
    }
    expect(screens[1]).toBe(screens[0]);
  });

  it.each(LANGUAGES)('is explained in %s', async (language) => {
    if (language !== 'en') await loadLocale(language);
    const text = language === 'en' ? REFUSAL : localeOf(language)?.['error.sign_up_refused'];
    expect(text).toBeTruthy();
    const page = await open(WALLETS, language);
    setSignUp(page, { policy: 'invited' });
    const button = await page.until(() =>
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('MetaMask')),
    );
    button.click();
    await page.until(() => (shown().includes(text ?? '') ? true : null));
    // A text of its own in each language.
    expect(language === 'en' || text !== REFUSAL).toBe(true);
  });
});
