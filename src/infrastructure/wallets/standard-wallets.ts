import type { WalletKind } from '#domain/wallets/wallets.ts';
import { UNSUPPORTED_METHOD } from '#domain/wallets/wallet-errors.ts';
import { base58, bytesOfBase58 } from './base58.ts';
import { bytesIn, call, has, itemsOf, read } from './foreign.ts';

const APP_READY = 'wallet-standard:app-ready';
const REGISTER_WALLET = 'wallet-standard:register-wallet';
const SIGN = 'solana:signMessage';
/** A limit above any real number of wallets, so that a page cannot fill the memory with registrations. */
const MAX_REGISTERED = 32;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** A feature of a wallet with its method; null if the wallet lacks it. */
function featureOf(wallet: unknown, name: string, method: string): object | null {
  const feature = read(read(wallet, 'features'), name);
  return has(feature, method) ? feature : null;
}

const isWallet = (wallet: unknown): wallet is object =>
  featureOf(wallet, 'standard:connect', 'connect') !== null && featureOf(wallet, SIGN, 'signMessage') !== null;

/** The Solana address of an account; null for an account of another chain. */
function addressOf(account: unknown): string | null {
  const text = read(account, 'address');
  return typeof text === 'string' && bytesOfBase58(text)?.length === KEY_BYTES ? text : null;
}

/** True unless the account lists its features and signing messages is not one of them, as with some hardware keys. */
function canSign(account: unknown): boolean {
  const features = itemsOf(read(account, 'features'));
  return features.length === 0 || features.includes(SIGN);
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

const unsupported = (message: string): Error => Object.assign(new Error(message), { code: UNSUPPORTED_METHOD });

/** The Solana wallets that register themselves by the events of the Wallet Standard, version 1. */
export class StandardWallets {
  /** Each with its kind: a wallet that changes its name keeps its button. */
  private readonly registered = new Map<unknown, WalletKind>();
  private readonly listeners = new Set<() => void>();
  /** The account with which each wallet last connected. */
  private readonly accounts = new WeakMap<object, unknown>();

  constructor(private readonly window: Window) {}

  /** Requests that wallets register, and calls `heard` for each change. Returns a function that stops listening. */
  listen(listener: () => void): () => void {
    const api = Object.freeze({ register: this.register });
    const hear = (event: Event): void => {
      const callback = read(event, 'detail');
      try {
        Reflect.apply(callback as (registry: typeof api) => unknown, undefined, [api]);
      } catch {
        // The wallet is at fault, or there is no callback: it is not registered, but others are.
      }
    };
    this.listeners.add(listener);
    this.window.addEventListener(REGISTER_WALLET, hear);
    this.window.dispatchEvent(new CustomEvent(APP_READY, { detail: api }));
    return () => {
      this.listeners.delete(listener);
      this.window.removeEventListener(REGISTER_WALLET, hear);
    };
  }

  /** The registered wallets that can sign messages, the first of each kind. */
  find(): ReadonlyMap<WalletKind, object> {
    const found = new Map<WalletKind, object>();
    for (const [wallet, kind] of this.registered) {
      if (!found.has(kind) && isWallet(wallet)) found.set(kind, wallet);
    }
    return found;
  }

  /** True for a wallet that `find` may return. */
  knows(wallet: object): boolean {
    return this.registered.has(wallet) && isWallet(wallet);
  }

  /** Requests that the person share their accounts, and uses the first Solana account that can sign. Rejects if there is none. */
  async address(wallet: object): Promise<string> {
    const answer = await this.feature(wallet, 'standard:connect', 'connect', []);
    const accounts = [read(answer, 'accounts'), read(wallet, 'accounts')].flatMap((list) => itemsOf(list));
    const ofSolana = accounts.filter((account) => addressOf(account) !== null);
    const account = ofSolana.find(canSign);
    const address = addressOf(account);
    if (address === null) {
      throw ofSolana.length > 0 ? unsupported('No account signs messages') : new TypeError('The wallet has no address');
    }
    this.accounts.set(wallet, account);
    return address;
  }

  /**
   * Signs the message's UTF-8 bytes; the signature is base58. Rejects if the person has switched to another account in the meantime, or if
   * the wallet signed other bytes than the message.
   */
  async signature(wallet: object, message: string, address: string): Promise<string> {
    const bytes = new TextEncoder().encode(message);
    const account = this.accountOf(wallet, address);
    const answer = await this.feature(wallet, SIGN, 'signMessage', [{ account, message: bytes }]);
    this.accountOf(wallet, address);
    const output = itemsOf(answer)[0] ?? answer;
    const payload = bytesIn(read(output, 'signedMessage'));
    if (payload !== null && !isSame(payload, bytes))
      throw unsupported('The wallet signed other bytes than the message');
    const signature = bytesIn(read(output, 'signature'));
    if (signature?.length !== SIGNATURE_BYTES) throw new TypeError('The wallet returned no signature');
    return base58(signature);
  }

  /** The wallet's current account with that address. A wallet that lists no accounts still has the one with which it connected. */
  private accountOf(wallet: object, address: string): unknown {
    const listed = itemsOf(read(wallet, 'accounts'));
    const all = listed.length > 0 ? listed : [this.accounts.get(wallet)];
    const account = all.find((each) => addressOf(each) === address);
    if (account === undefined) throw new TypeError('The wallet changed to another account');
    return account;
  }

  private async feature(wallet: object, name: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return call(featureOf(wallet, name, method) ?? {}, method, ...args);
  }

  /** The function that wallets call, immediately or later. Returns a function that unregisters these wallets. */
  private readonly register = (...wallets: readonly unknown[]): (() => void) => {
    const added = wallets
      .filter((wallet) => !this.registered.has(wallet))
      .slice(0, MAX_REGISTERED - this.registered.size);
    for (const wallet of added) {
      this.registered.set(wallet, read(wallet, 'name') === 'Phantom' ? 'phantom' : 'solana');
    }
    this.tell();
    return () => {
      for (const wallet of added) this.registered.delete(wallet);
      this.tell();
    };
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
