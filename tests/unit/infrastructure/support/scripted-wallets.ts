/** Wallets as extensions put them into a window, and what a test wants them to say. */
import type { WalletKind } from '#domain/wallets/wallets.ts';
import { base58 } from '#infrastructure/wallets/base58.ts';
import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';

export const ETHEREUM_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
export const SOLANA_ADDRESS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

type Globals = Readonly<Record<string, unknown>>;

/** A window with nothing of a browser but its events, and what was put into it. */
export function windowWith(globals: Globals = {}): Window {
  const window = new EventTarget();
  Object.defineProperties(window, Object.getOwnPropertyDescriptors(globals));
  return window as unknown as Window;
}

/** The wallets that a search finds at once. */
export function found(window: Window): readonly WalletKind[] {
  let kinds: readonly WalletKind[] = [];
  new InjectedWallets(window, new VirtualClock())
    .detect()
    .subscribe((now) => (kinds = now))
    .unsubscribe();
  return kinds;
}

/** A provider that announces itself when it is asked to, and at once (EIP-6963). */
export function announce(window: Window, provider: unknown, rdns: unknown, more: object = {}): void {
  const tell = (): void => {
    const detail = Object.freeze({ info: { rdns, uuid: '350670db-19fa-4704-a166-e52e178b59d2', ...more }, provider });
    window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }));
  };
  window.addEventListener('eip6963:requestProvider', tell);
  tell();
}

/** Bytes that nothing but the message, and the one who signs, decides. */
function digest(message: Uint8Array, by: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(7);
  [...message, ...new TextEncoder().encode(by)].forEach((byte, at) => {
    bytes[at % length] = ((bytes[at % length] ?? 0) * 31 + byte + at) % 256;
  });
  return bytes;
}

const hexOf = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from(text.slice(2).match(/../gu) ?? [], (digits) => Number.parseInt(digits, 16));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function isScriptedSignature(signature: string, message: string, address: string): boolean {
  const isEthereum = address.startsWith('0x');
  const bytes = digest(utf8(message), address, isEthereum ? 65 : 64);
  return signature === (isEthereum ? hexOf(bytes) : base58(bytes));
}

/** What the person of a scripted wallet does. */
export class WalletHolder {
  refuses: 'connect' | 'sign' | null = null;
  asked = 0;
  private decision: Promise<void> | null = null;

  hold(): () => void {
    let decide = (): void => undefined;
    this.decision = new Promise((resolve) => {
      decide = resolve;
    });
    return () => {
      this.decision = null;
      decide();
    };
  }

  async decide(what: 'connect' | 'sign'): Promise<void> {
    this.asked += 1;
    await this.decision;
    if (this.refuses === what) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
  }
}

/** An EIP-1193 provider that takes messages as MetaMask does: hexadecimal is decoded, anything else is text. */
export function ethereumProvider(person = new WalletHolder(), flags: object = {}) {
  return {
    ...flags,
    async request({ method, params = [] }: { readonly method: string; readonly params?: readonly string[] }) {
      if (method === 'eth_requestAccounts') {
        await person.decide('connect');
        return [ETHEREUM_ADDRESS];
      }
      if (method !== 'personal_sign') throw Object.assign(new Error('No such method'), { code: 4200 });
      await person.decide('sign');
      const [text = '', address = ''] = params;
      const isHex = /^0x(?:[0-9a-f]{2})*$/iu.test(text);
      return hexOf(digest(isHex ? bytesOfHex(text) : utf8(text), address, 65));
    },
  };
}

export function solanaWallet(person = new WalletHolder(), flags: object = {}) {
  const publicKey = { toBase58: () => SOLANA_ADDRESS, toString: () => SOLANA_ADDRESS };
  return {
    ...flags,
    async connect() {
      await person.decide('connect');
      return { publicKey };
    },
    async signMessage(message: Uint8Array) {
      await person.decide('sign');
      return { publicKey, signature: digest(message, SOLANA_ADDRESS, 64) };
    },
  };
}

/** A wallet of the Wallet Standard, version 1, as `standardWallet` makes it. A test changes its members. */
export interface ScriptedStandardWallet {
  version: string;
  name: string;
  icon: string;
  chains: readonly string[];
  features: Record<string, unknown>;
  accounts: readonly object[];
}

/** An account of a wallet of the Wallet Standard. */
export const standardAccount = (address = SOLANA_ADDRESS, features: unknown = ['solana:signMessage']): object => ({
  address,
  publicKey: new Uint8Array(32),
  chains: ['solana:mainnet'],
  features,
});

/** A Solana wallet of the Wallet Standard: it lists its accounts after the person has agreed. */
export function standardWallet(name = 'Example Wallet', person = new WalletHolder()): ScriptedStandardWallet {
  const wallet: ScriptedStandardWallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,',
    chains: ['solana:mainnet'],
    accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          await person.decide('connect');
          wallet.accounts = [standardAccount()];
          return { accounts: wallet.accounts };
        },
      },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      'solana:signMessage': {
        version: '1.0.0',
        async signMessage(...inputs: readonly { readonly account: object; readonly message: Uint8Array }[]) {
          await person.decide('sign');
          return inputs.map(({ account, message }) => {
            if (!wallet.accounts.includes(account)) throw new Error('The wallet does not know this account.');
            return { signedMessage: message, signature: digest(message, SOLANA_ADDRESS, 64) };
          });
        },
      },
    },
  };
  return wallet;
}

interface WalletRegistry {
  register(...wallets: readonly unknown[]): () => void;
}

/** What a page answers when wallets register: it runs the callback with its registry. */
export type RegisterCallback = (registry: WalletRegistry) => unknown;

/** Registers a wallet as the Wallet Standard's own package does. Returns a function that takes the wallet away again. */
export function register(window: Window, wallet: unknown): () => void {
  const removals: (() => void)[] = [];
  const callback: RegisterCallback = ({ register: add }) => void removals.push(add(wallet));
  window.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: callback }));
  window.addEventListener('wallet-standard:app-ready', (event) =>
    callback((event as CustomEvent<WalletRegistry>).detail),
  );
  return () => removals.splice(0).forEach((remove) => remove());
}
