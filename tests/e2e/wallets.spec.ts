import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { account, heading, logOut, widget } from './visitor.ts';
import { allScreens, announceMetaMask, crypto, ETHEREUM, OTHERS, SOLANA, wallet, writeDown } from './wallet-visitor.ts';

/** The browser itself logs every refusal. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** What the screens say, one after the other. */
const SAID = [
  'Connecting to your wallet...',
  'Completing signature request...',
  'Success!',
  'You have successfully connected your wallet.',
];

const back = (page: Page) => widget(page).getByRole('button', { name: 'Back' });
const again = (page: Page) => widget(page).getByRole('button', { name: 'Try again' });

for (const [name, address, tag] of [
  [ETHEREUM, /0x[0-9a-fA-F]{40}/, '@every'],
  [SOLANA, /[1-9A-HJ-NP-Za-km-z]{32,44}/, '@soak'],
] as const) {
  test(`"${name}" signs in from click to account, and again after signing out`, { tag }, async ({ page, demoPath }) => {
    const seen = await writeDown(page);
    await page.goto(`${demoPath}?wallet=1&${crypto()}`);
    const known: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      await wallet(page, name).click();
      await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
      known.push(address.exec(await account(page).innerText())?.[0] ?? '');
      await logOut(page).click();
      await expect(wallet(page, name)).toBeVisible();
    }
    expect(await seen()).toEqual(expect.arrayContaining(SAID));
    expect(known[0]).toMatch(address);
    expect(known[1]).toBe(known[0]);
    expect([...new Set(await allScreens(page))]).toEqual([
      'Main',
      'CryptoConnect',
      'CryptoSignMessage',
      'CryptoConfirmation',
    ]);
  });
}

const FAILED = 'Looks like there was an error!';
// The live region says it, too.
const declined = (page: Page) => widget(page).getByText('You declined in your wallet.').first();

test(
  'what a wallet was declined says has no accessibility faults',
  { tag: '@soak' },
  async ({ page, demoPath, axe }) => {
    await page.goto(`${demoPath}?wallet=refuse&${crypto()}`);
    await wallet(page, ETHEREUM).click();
    await expect(heading(page, FAILED)).toBeVisible();
    await expect(declined(page)).toBeVisible();
    expect(await axe(page)).toEqual([]);
  },
);

test(
  'a person who declines is told so calmly, with a way back and another try',
  { tag: ['@every', '@soak'] },
  async ({ page, demoPath }) => {
    await page.goto(`${demoPath}?wallet=refuse&${crypto()}`);
    await wallet(page, ETHEREUM).click();
    await expect(heading(page, FAILED)).toBeVisible();
    await expect(declined(page)).toBeVisible();
    await expect(widget(page).locator('[data-part=mark], [role=alert]:not(:empty)')).toHaveCount(0);
    await again(page).click();
    const screens = async () => (await allScreens(page)).join(' ');
    await expect.poll(screens).toMatch(/CryptoError CryptoConnect .*CryptoError$/);
    await expect(heading(page, FAILED)).toBeVisible();
    await expect(declined(page)).toBeVisible();
    await back(page).click();
    await expect(wallet(page, ETHEREUM)).toBeVisible();
  },
);

test(
  'a signature of something else is refused, and the right one after it is taken',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(REFUSED);
    await page.goto(`${demoPath}?wallet=1&${crypto()}`);
    await expect(wallet(page, ETHEREUM)).toBeVisible();
    await page.evaluate(() => {
      interface Call {
        readonly method: string;
        readonly params?: readonly string[];
      }
      const { ethereum } = window as unknown as { readonly ethereum: { request(call: Call): Promise<unknown> } };
      const honest = ethereum.request;
      let lies = 1;
      ethereum.request = (call) => {
        if (call.method !== 'personal_sign' || lies === 0) return honest(call);
        lies -= 1;
        return honest({ ...call, params: [`${call.params?.[0]} and more`, ...(call.params ?? []).slice(1)] });
      };
    });
    await wallet(page, ETHEREUM).click();
    await expect(heading(page, 'Looks like there was an error!')).toBeVisible();
    await expect(account(page)).toBeHidden();
    await again(page).click();
    await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  },
);

test(
  'a wallet that never answers can be left, and its late answer signs no one in',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.addInitScript(() => {
      const asked: (() => void)[] = [];
      Object.assign(window, {
        answer: () => asked.splice(0).forEach((decide) => decide()),
        ethereum: {
          isMetaMask: true,
          request: ({ method }: { readonly method: string }) =>
            new Promise((resolve) => {
              const address = '0x52908400098527886E0F7030069857D2E4169EE7';
              asked.push(() => resolve(method === 'personal_sign' ? `0x${'11'.repeat(65)}` : [address]));
            }),
        },
      });
    });
    const finishes: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/crypto_wallets/authenticate') && request.method() === 'POST')
        finishes.push(request.url());
    });
    const answer = () => page.evaluate(() => (window as unknown as { answer(): void }).answer());
    await page.goto(`${demoPath}?${crypto()}`);
    await wallet(page, 'Continue with MetaMask').click();
    await expect(heading(page, 'Connecting to your wallet...')).toBeVisible();
    await back(page).click();
    await answer();
    await wallet(page, 'Continue with MetaMask').click();
    await expect(heading(page, 'Connecting to your wallet...')).toBeVisible();
    await answer();
    await expect(heading(page, 'Completing signature request...')).toBeVisible();
    await back(page).click();
    await answer();
    await expect(wallet(page, 'Continue with MetaMask')).toBeVisible();
    // A request of the page that is older than this one was noted before this one is answered.
    await page.evaluate(() => fetch('/config.json'));
    expect(finishes).toEqual([]);
    await expect(account(page)).toBeHidden();
  },
);

test(
  'a wallet that announces itself late gets its button, behind those that are there',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(`${demoPath}?wallet=1&${crypto()}`);
    await expect(wallet(page, SOLANA)).toBeVisible();
    await announceMetaMask(page);
    await expect(wallet(page, 'Continue with MetaMask')).toBeVisible();
    const labels = await widget(page).getByRole('button').allInnerTexts();
    expect(labels).toEqual([ETHEREUM, SOLANA, 'Continue with MetaMask']);
  },
);

test('without a wallet there is the way to get one', { tag: '@soak' }, async ({ page, demoPath, axe }) => {
  await page.goto(`${demoPath}?${crypto()}`);
  await expect(widget(page).getByRole('button')).toHaveText(['Set up a new crypto wallet']);
  await expect(widget(page).getByText('No wallet was found in this browser.')).toBeVisible();
  // The line is under the button, which stays where the one for other wallets was.
  const groupTop = await widget(page)
    .locator('[data-part=group]')
    .evaluate((one) => one.getBoundingClientRect().top);
  const { top } = await widget(page)
    .getByRole('button')
    .evaluate((one) => one.getBoundingClientRect().toJSON() as { top: number });
  expect(top).toBe(groupTop);
  await widget(page).getByRole('button', { name: 'Set up a new crypto wallet' }).click();
  await expect(heading(page, 'Set up a new crypto wallet')).toBeVisible();
  const links = widget(page).getByRole('link', { name: /^Download/ });
  await expect(links).toHaveCount(4);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', /^https:\/\//);
    await expect(link).toHaveAttribute('rel', /noopener/);
    await expect(link).toHaveAttribute('target', '_blank');
  }
  expect(await axe(page)).toEqual([]);
  await back(page).click();
  await expect(wallet(page, 'Set up a new crypto wallet')).toBeVisible();
});

test(
  'wallets without room beside social logins wait behind their button',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    const providers = ['google', 'apple', 'github', 'microsoft'].map((type) => ({ type }));
    await page.goto(`${demoPath}?wallet=1&${crypto({ products: ['oauth', 'crypto'], oauthOptions: { providers } })}`);
    await expect(wallet(page, ETHEREUM)).toBeVisible();
    await expect(wallet(page, SOLANA)).toHaveCount(0);
    await wallet(page, OTHERS).click();
    await wallet(page, SOLANA).click();
    await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  },
);
