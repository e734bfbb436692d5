/** Wallets that the page itself brings: one of the Wallet Standard with a real key, and one that is a contract. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { account, heading, widget } from './visitor.ts';
import { crypto, wallet } from './wallet-visitor.ts';

/** The browser itself logs every refusal. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Runs in the page: Phantom registers late, with an Ed25519 key of Web Crypto; its place in the window has a wallet that is broken. */
function addPhantom(): void {
  const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const base58 = (bytes: Uint8Array): string => {
    let value = BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`);
    let text = '';
    for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
    return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text;
  };
  const key = window.crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const chains = ['solana:mainnet'];
  const connected: object[] = [];
  const phantom = {
    version: '1.0.0',
    name: 'Phantom',
    icon: 'data:image/png;base64,',
    chains,
    accounts: connected,
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          const publicKey = new Uint8Array(await window.crypto.subtle.exportKey('raw', (await key).publicKey));
          connected.push({ address: base58(publicKey), publicKey, chains, features: ['solana:signMessage'] });
          Object.assign(window, { phantomAddress: base58(publicKey) });
          return { accounts: connected };
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        async signMessage({ account: by, message }: { readonly account: object; readonly message: BufferSource }) {
          if (!connected.includes(by)) throw new Error('another account');
          const signature = await window.crypto.subtle.sign('Ed25519', (await key).privateKey, message);
          return [{ signedMessage: message, signature: new Uint8Array(signature) }];
        },
      },
    },
  };
  const broken = (): never => {
    throw new Error('the wallet of the window');
  };
  Object.assign(window, { phantom: { solana: { isPhantom: true, connect: broken, signMessage: broken } } });
  const register = ({ register: add }: { register(one: object): void }): void => add(phantom);
  Object.assign(window, {
    registerPhantom: () =>
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register })),
  });
}

const labels = (page: Page): Promise<readonly string[]> => widget(page).getByRole('button').allInnerTexts();

test('a Solana wallet that registers late, and is in the window too, is shown once and signs in', async ({
  page,
  demoPath,
}) => {
  await page.addInitScript(addPhantom);
  await page.goto(`${demoPath}?${crypto()}`);
  await expect(wallet(page, 'Continue with Phantom')).toBeVisible();
  await page.evaluate(() => (window as unknown as { registerPhantom(): void }).registerPhantom());
  expect(await labels(page)).toEqual(['Continue with Phantom']);
  await wallet(page, 'Continue with Phantom').click();
  await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  const address = await page.evaluate(() => (window as unknown as { readonly phantomAddress: string }).phantomAddress);
  await expect(account(page)).toContainText(address);
});

test(
  'a wallet that is a contract is told that it is not supported',
  { tag: '@soak' },
  async ({ page, demoPath, trap }) => {
    trap.allow(REFUSED);
    await page.addInitScript(() => {
      // EIP-6492: a factory, its call, the inner signature, and the magic bytes at the end.
      const signature = `0x${'00'.repeat(640)}${'6492'.repeat(16)}`;
      const request = async ({ method }: { readonly method: string }): Promise<unknown> =>
        method === 'personal_sign' ? signature : ['0x52908400098527886E0F7030069857D2E4169EE7'];
      Object.assign(window, { ethereum: { isMetaMask: true, request } });
    });
    await page.goto(`${demoPath}?${crypto()}`);
    await wallet(page, 'Continue with MetaMask').click();
    await expect(heading(page, 'Looks like there was an error!')).toBeVisible();
    await expect(widget(page).getByText(/^This kind of wallet is not supported here\./)).toBeVisible();
  },
);
