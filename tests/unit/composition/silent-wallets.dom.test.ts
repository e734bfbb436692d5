/** Wallets that do not answer, throw, or come late, as a person meets them in a widget. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cryptoWallets } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { WalletWorld } from '../application/wallets/wallet-world.ts';
import {
  announce,
  ethereumProvider,
  register,
  solanaWallet,
  standardWallet,
  WalletHolder,
  windowWith,
} from '../infrastructure/support/scripted-wallets.ts';
import { ADA, closePages, field, loadParts, login, type Page } from './pressing/page.ts';

beforeAll(loadParts);
afterEach(closePages);

const CONFIG: LoginConfig = { products: ['otp', 'crypto'], otpOptions: { methods: ['email'] } };
const MAIN = 'Sign up or log in';
/** After this time a wallet is asked again. */
const LOST_MS = 3_000;

type Step = 'connect' | 'sign';
const WAITS: Readonly<Record<Step, readonly [title: string, text: string]>> = {
  connect: ['Connecting to your wallet...', 'Your wallet asks you for permission.'],
  sign: ['Completing signature request...', 'Sign the message that your wallet shows.'],
};

/** A person whose wallet says nothing at one step. */
class Holder extends WalletHolder {
  silentAt: Step | null = null;
  private readonly late: (() => void)[] = [];

  override async decide(what: Step): Promise<void> {
    this.asked += 1;
    if (this.silentAt === what) await new Promise<void>((answer) => this.late.push(answer));
  }

  answer(): void {
    for (const answer of this.late.splice(0)) answer();
  }
}

type Install = (window: Window, holder: Holder) => void;
const WALLETS: readonly (readonly [name: string, button: string, install: Install])[] = [
  [
    'in the window',
    'Continue with MetaMask',
    (window, holder) => void Object.assign(window, { ethereum: ethereumProvider(holder, { isMetaMask: true }) }),
  ],
  [
    'that announces itself',
    'Continue with MetaMask',
    (window, holder) => announce(window, ethereumProvider(holder), 'io.metamask'),
  ],
  [
    'of Solana in the window',
    'Continue with Phantom',
    (window, holder) => void Object.assign(window, { phantom: { solana: solanaWallet(holder, { isPhantom: true }) } }),
  ],
  [
    'of Solana that registers itself',
    'Continue with Phantom',
    (window, holder) => void register(window, standardWallet('Phantom', holder)),
  ],
];
const CASES = WALLETS.flatMap(([name, button, install]) =>
  (['connect', 'sign'] as const).map((step) => [name, button, step, install] as const),
);

/** A login beside a wallet, and what the page did with the wallet's answers. */
async function open(install: Install) {
  const window = windowWith();
  const holder = new Holder();
  install(window, holder);
  const world = new WalletWorld(window);
  const page = await login(CONFIG, { world });
  const finishes = () => world.transport.requestsTo(cryptoWallets.authenticate);
  return { window, holder, world, page, finishes };
}

const textOf = (): string => document.body.textContent ?? '';
const alerts = (): string =>
  [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('');
const isSignedIn = ({ client }: Page): boolean => client.session.getTokens() !== null;

describe('a wallet that never answers', () => {
  it.each(CASES)('%s (%s, %s) can be left for another way, and its late answer does nothing', async (...row) => {
    const [, button, step, install] = row;
    const { holder, world, page, finishes } = await open(install);
    holder.silentAt = step;
    await page.press(button);
    const [title, text] = WAITS[step];
    await page.shows(title);
    expect(textOf()).toContain(text);
    await world.clock.advance(600_000);
    await page.shows(title);

    await page.press('Back');
    await page.shows(MAIN);
    await page.fill('email', ADA);
    await page.press('Continue with email');
    await page.shows('Enter passcode');
    const [requests, events] = [world.transport.requests.length, page.heard.length];
    holder.answer();
    await page.settle();
    await page.shows('Enter passcode');
    expect([world.transport.requests.length, page.heard.length]).toEqual([requests, events]);
    expect([finishes().length, isSignedIn(page), alerts()]).toEqual([0, false, '']);
  });

  it.each(CASES)('%s (%s, %s) is asked again by another press, and signs in once', async (...row) => {
    const [, button, step, install] = row;
    const { holder, world, page, finishes } = await open(install);
    holder.silentAt = step;
    await page.press(button);
    await page.shows(WAITS[step][0]);
    await page.press('Back');
    await page.shows(MAIN);
    await world.clock.advance(LOST_MS);
    holder.silentAt = null;
    const { asked } = holder;
    await page.press(button);
    await page.shows('Success!');
    expect(holder.asked).toBe(asked + 2);
    holder.answer();
    await page.settle();
    expect([finishes().length, isSignedIn(page), alerts()]).toEqual([1, true, '']);
  });
});

describe('a wallet that still shows its question', () => {
  it('refuses another one, and its answer to the first counts when the person comes back', async () => {
    const provider = ethereumProvider(undefined, { isMetaMask: true });
    const { request } = provider;
    let answer = (): void => undefined;
    let questions = 0;
    provider.request = async (call) => {
      if (call.method !== 'eth_requestAccounts') return request(call);
      questions += 1;
      if (questions > 1) throw Object.assign(new Error('Already processing eth_requestAccounts.'), { code: -32002 });
      await new Promise<void>((resolve) => void (answer = resolve));
      return request(call);
    };
    const { world, page, finishes } = await open((window) => void Object.assign(window, { ethereum: provider }));
    await page.press('Continue with MetaMask');
    await page.press('Back');
    await world.clock.advance(LOST_MS);
    await page.press('Continue with MetaMask');
    await page.shows(WAITS.connect[0]);
    expect(questions).toBe(2);
    answer();
    await page.shows('Success!');
    expect([finishes().length, alerts()]).toEqual([1, '']);
  });
});

describe('a wallet that throws in place of a promise', () => {
  const fail = (): never => {
    throw new Error('hostile');
  };
  /** Where each wallet is put, and its method of a step. */
  const THROWING = [
    ['Continue with MetaMask', 'connect', ethereumProvider, 'request', (ethereum: object) => ({ ethereum })],
    ['Continue with Phantom', 'connect', solanaWallet, 'connect', (solana: object) => ({ phantom: { solana } })],
    ['Continue with Phantom', 'sign', solanaWallet, 'signMessage', (solana: object) => ({ phantom: { solana } })],
  ] as const;

  it.each(THROWING)('(%s, %s) leads to another try, and back', async (button, _, make, method, place) => {
    const wallet: Record<string, unknown> = { ...make(), isMetaMask: true };
    const honest = wallet[method];
    wallet[method] = fail;
    const { page, finishes } = await open((window) => void Object.assign(window, place(wallet)));
    await page.press(button);
    await page.shows('Looks like there was an error!');
    await page.press('Back');
    await page.shows(MAIN);
    await page.press(button);
    await page.press('Try again');
    await page.shows('Looks like there was an error!');
    expect(finishes()).toEqual([]);
    wallet[method] = honest;
    await page.press('Try again');
    await page.shows('Success!');
  });
});

describe('a wallet that comes late', () => {
  it('has a button then, and keeps what was typed', async () => {
    const { window, page } = await open(() => undefined);
    await page.fill('email', ADA);
    const before = field('email');
    expect(page.button('Continue with MetaMask')).toBe(null);
    announce(window, ethereumProvider(), 'io.metamask');
    await page.until(() => page.button('Continue with MetaMask'));
    expect(field('email')).toBe(before);
    expect(before?.value).toBe(ADA);
    await page.press('Continue with MetaMask');
    await page.shows('Success!');
  });

  it('while another one is waited for is offered on the way back', async () => {
    const { window, holder, page } = await open(WALLETS[0]![2]);
    holder.silentAt = 'connect';
    await page.press('Continue with MetaMask');
    register(window, standardWallet('Phantom'));
    await page.settle();
    await page.shows(WAITS.connect[0]);
    await page.press('Back');
    await page.press('Continue with Phantom');
    await page.shows('Success!');
    holder.answer();
    await page.settle();
    expect(alerts()).toBe('');
  });

  it('twice, or under another name, has one button, which stays', async () => {
    const provider = ethereumProvider();
    const { window, page } = await open((place) => announce(place, provider, 'io.metamask'));
    await page.until(() => page.button('Continue with MetaMask'));
    announce(window, provider, 'io.metamask');
    announce(window, provider, 'com.coinbase.wallet');
    Object.assign(window, { ethereum: Object.assign(provider, { isBinance: true }) });
    window.dispatchEvent(new Event('ethereum#initialized'));
    await page.settle();
    const names = [...document.querySelectorAll('button')].map(({ textContent }) => textContent ?? '');
    expect(names.filter((name) => /MetaMask|Coinbase|Binance|Ethereum/u.test(name))).toEqual([
      'Continue with MetaMask',
    ]);
    await page.press('Continue with MetaMask');
    await page.shows('Success!');
  });
});
