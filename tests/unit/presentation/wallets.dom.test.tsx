import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { SDKAPIUnreachableError, unreachable } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import { WALLET_KINDS } from '#domain/wallets/wallets.ts';
import { walletError } from '#domain/wallets/wallet-errors.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { apiError } from '../../gallery/fixture.ts';
import { showScreen, showState } from './show.tsx';

afterEach(cleanup);

const CRYPTO: LoginConfig = { products: ['crypto'] };
const MANY: LoginConfig = {
  products: ['oauth', 'crypto'],
  oauthOptions: { providers: [{ type: 'google' }, { type: 'apple' }, { type: 'github' }] },
};
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;
const text = (): string => document.body.textContent ?? '';
const press = async (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
const walletButtons = (): readonly (string | null)[] =>
  screen
    .getAllByRole('button')
    .map((button) => button.textContent)
    .filter((label) => WALLET_LABEL.test(label ?? ''));
const WALLET_LABEL = /^Continue with (?:MetaMask|Coinbase|Phantom|Vessel|Binance|other)/u;

const OTHERS = 'Continue with other Crypto Wallet';

describe('The screen of other wallets', () => {
  it('says what did not load, and not that there is no wallet', () => {
    showState({
      screen: { name: 'CryptoOtherScreen' },
      error: unreachable(new TypeError('Failed to fetch')),
      wallets: [],
    });
    expect(text()).toContain('Part of this page did not load.');
    expect(text()).not.toContain('No other wallet');
  });
});

describe('Main with wallets', () => {
  it('has a button for each that was found, and none for others where none is left over', async () => {
    const { model } = showState({ wallets: ['metamask', 'phantom', 'ethereum', 'solana'] }, { config: CRYPTO });
    expect(walletButtons()).toEqual([
      'Continue with MetaMask',
      'Continue with Phantom',
      'Continue with other Ethereum wallet',
      'Continue with other Solana wallet',
    ]);
    await press('Continue with Phantom');
    expect(model.intents.at(-1)).toEqual({ type: 'wallet/chosen', wallet: 'phantom' });
    expect(heading()).toBe('Connecting to your wallet...');
  });

  it('offers the other wallets until the search begins, and then the ones that were found', () => {
    const { model } = showState({}, { config: CRYPTO });
    expect(walletButtons()).toEqual([OTHERS]);
    model.tell({ type: 'wallets/detected', wallets: ['vessel'] });
    expect(walletButtons()).toEqual(['Continue with Vessel']);
    model.tell({ type: 'wallets/detected', wallets: WALLET_KINDS });
    expect(walletButtons()).toHaveLength(6);
    expect(walletButtons().at(-1)).toBe(OTHERS);
  });

  it('looks like a link where none was found and there are other ways', () => {
    const look = (): string | null =>
      screen.getByRole('button', { name: 'Set up a new crypto wallet' }).getAttribute('data-part');
    showState({ wallets: [] }, { config: MANY });
    expect(look()).toBe('link-button');
    cleanup();
    showState({ wallets: [] }, { config: CRYPTO });
    expect(look()).toBe('button');
  });

  it('says that none was found where there is no other way', () => {
    const NONE = 'No wallet was found in this browser.';
    const { model } = showState({}, { config: CRYPTO });
    expect(text()).not.toContain(NONE);
    model.tell({ type: 'wallets/detected', wallets: [] });
    expect(text()).toContain(NONE);
    model.tell({ type: 'wallets/detected', wallets: ['vessel'] });
    expect(text()).not.toContain(NONE);
    cleanup();
    showState({ wallets: [] }, { config: MANY });
    expect(text()).not.toContain(NONE);
  });

  it('does not say that none was found when the search did not load', () => {
    const { model } = showState({}, { config: CRYPTO });
    model.tell({ type: 'wallets/detected', wallets: [], error: unreachable(new TypeError('Failed to fetch')) });
    expect(text()).toContain('Part of this page did not load.');
    expect(text()).not.toContain('No wallet was found');
    expect(walletButtons()).toEqual([OTHERS]);
  });

  it('leads to a new one where none was found', async () => {
    const { model } = showState({}, { config: CRYPTO });
    model.tell({ type: 'wallets/detected', wallets: [] });
    expect(walletButtons()).toEqual([]);
    await press('Set up a new crypto wallet');
    expect(heading()).toBe('Set up a new crypto wallet');
    expect(screen.getAllByRole('link')).toHaveLength(4);
  });

  it('moves wallets without room beside social logins to the screen of other wallets', async () => {
    showState({ wallets: WALLET_KINDS }, { config: MANY });
    expect(walletButtons()).toEqual(['Continue with MetaMask', 'Continue with Coinbase', OTHERS]);
    await press(OTHERS);
    expect(heading()).toBe('Continue with other wallet');
    expect(walletButtons()).toEqual([
      'Continue with Phantom',
      'Continue with Vessel',
      'Continue with Binance',
      'Continue with other Ethereum wallet',
      'Continue with other Solana wallet',
    ]);
    await press('Continue with Vessel');
    expect(heading()).toBe('Connecting to your wallet...');
  });

  it('takes no press while something else is under way', async () => {
    const { model } = showState({ wallets: ['metamask'], pending: 'magicLink/requested' }, { config: CRYPTO });
    await press('Continue with MetaMask');
    expect(model.intents).toEqual([]);
    expect(screen.getByRole('button', { name: 'Continue with MetaMask' }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('The screens behind a wallet', () => {
  it('show what the wallet is waited for, and lead back', async () => {
    const { model } = showState(
      { screen: { name: 'CryptoConnect', wallet: 'metamask' }, pending: 'wallet/chosen' },
      { config: CRYPTO },
    );
    expect(heading()).toBe('Connecting to your wallet...');
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    model.tell({ type: 'wallet/connected', wallet: 'metamask', address, challenge: '<b>no markup</b>', reply: {} });
    expect(heading()).toBe('Completing signature request...');
    expect(text()).not.toContain('markup');
    await press('Back');
    expect(heading()).toBe('Sign up or log in');
  });

  it('show that it worked', () => {
    showScreen({ name: 'CryptoConfirmation' }, { config: CRYPTO });
    expect(heading()).toBe('Success!');
    expect(text()).toContain('You have successfully connected your wallet.');
  });

  it('show that it did not, without the wallet’s words, and try again', async () => {
    const { model } = showState(
      { screen: { name: 'CryptoError', wallet: 'coinbase' }, error: toAuthError(new Error('Could not sign message')) },
      { config: CRYPTO },
    );
    expect(heading()).toBe('Looks like there was an error!');
    expect(text()).not.toContain('Could not sign');
    await press('Try again');
    expect(model.intents).toEqual([{ type: 'wallet/chosen', wallet: 'coinbase' }]);
    expect(heading()).toBe('Connecting to your wallet...');
  });

  it('show the title of an error where the user declined, and say so below it, without an alert', async () => {
    const error = toAuthError(Object.assign(new Error('User rejected the request.'), { code: 4001 }));
    const { container } = showState({ screen: { name: 'CryptoError', wallet: 'metamask' }, error }, { config: CRYPTO });
    expect(heading()).toBe('Looks like there was an error!');
    expect(text()).toContain('You declined in your wallet. Nothing was connected or signed.');
    expect(text()).not.toContain('User rejected');
    expect(container.querySelector('[data-part=mark]')).toBeNull();
    await act(async () => Promise.resolve());
    const announced = container.querySelector('[data-part=announcer]')?.textContent;
    expect(announced).toMatch(/^Looks like there was an error! You declined in your wallet/u);
  });

  it('show the error of the server', async () => {
    const error = new SDKAPIUnreachableError('network');
    showState({ screen: { name: 'CryptoError', wallet: 'coinbase' }, error }, { config: CRYPTO });
    expect(text()).toContain('Unable to contact our servers.');
    await press('Back');
    expect(heading()).toBe('Sign up or log in');
  });

  it('say that a kind of wallet is not supported, whether the server or the wallet refused', () => {
    const unsupported = (code: number): unknown =>
      walletError(new Error('Could not sign message', { cause: { code } }));
    const ofServer = apiError('unsupported_crypto_wallet');
    for (const error of [ofServer, toAuthError(unsupported(4200)), toAuthError(unsupported(-32601))]) {
      showState({ screen: { name: 'CryptoError', wallet: 'coinbase' }, error }, { config: CRYPTO });
      expect(text()).toContain('This kind of wallet is not supported here.');
      expect(text()).not.toContain('once more');
      cleanup();
    }
    expect(toAuthError(unsupported(4001))).toMatchObject({ error_type: 'unknown_error' });
  });

  it('lead to four places where a wallet can be had', async () => {
    showScreen({ name: 'CryptoOtherScreen' }, { config: CRYPTO });
    expect(text()).toContain('No other wallet was found in this browser.');
    await press('Set up a new crypto wallet');
    expect(heading()).toBe('Set up a new crypto wallet');
    const links = screen.getAllByRole<HTMLAnchorElement>('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Download MetaMask',
      'Download Coinbase',
      'Download Phantom',
      'Download Binance',
    ]);
    for (const { href, target, rel } of links) {
      expect([new URL(href).protocol, target, rel]).toEqual(['https:', '_blank', 'noopener noreferrer']);
    }
    await press('Back');
    expect(heading()).toBe('Sign up or log in');
  });
});
