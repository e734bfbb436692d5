import type { WalletKind } from '#domain/wallets/wallets.ts';
import { call, flagsOf, has, itemsOf, read } from './foreign.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/iu;
/**
 * A key's signature has 65 bytes. A contract's signature can have any length, including zero; the server reports whether it verifies those.
 */
const SIGNATURE = /^0x(?:[0-9a-f]{2}){0,4096}$/iu;
const HEX = /^0x[0-9a-f]*$/iu;
/** JSON-RPC 2.0, section 5.1: the wallet does not accept the message in this form. */
const INVALID_PARAMS = -32602;
/** A limit above any real number of wallets, so that a page cannot fill the memory with announcements. */
const MAX_ANNOUNCED = 32;

/** Reverse domain names of EIP-6963. */
const NAMES: readonly (readonly [RegExp, WalletKind])[] = [
  [/^io\.metamask(?:\.|$)/u, 'metamask'],
  [/^com\.coinbase\./u, 'coinbase'],
  [/^com\.binance\./u, 'binance'],
  [/^app\.phantom(?:\.|$)/u, 'phantom'],
];

const FLAGS: readonly (readonly [string, WalletKind])[] = [
  ['isPhantom', 'phantom'],
  ['isCoinbaseWallet', 'coinbase'],
  ['isBinance', 'binance'],
  ['isVessel', 'vessel'],
];

/** The wallet of a provider, by its flags. Many other wallets also set `isMetaMask`. */
function kindByFlags(provider: object): WalletKind {
  for (const [flag, kind] of FLAGS) if (read(provider, flag) === true) return kind;
  if (read(provider, 'isMetaMask') !== true) return 'ethereum';
  return flagsOf(provider).some((flag) => flag !== 'isMetaMask') ? 'ethereum' : 'metamask';
}

function kindByName(provider: object, rdns: unknown): WalletKind {
  if (typeof rdns !== 'string') return kindByFlags(provider);
  const match = NAMES.find(([pattern]) => pattern.test(rdns));
  if (match !== undefined) return match[1];
  const kind = kindByFlags(provider);
  // MetaMask announces its own name, so a provider with only the flag is another wallet.
  return kind === 'metamask' ? 'ethereum' : kind;
}

/** The providers of Ethereum wallets (EIP-1193): those that announced themselves (EIP-6963), and those in the window. */
export class EthereumWallets {
  /** Each with its reverse domain name. */
  private readonly announced = new Map<object, unknown>();

  constructor(private readonly window: Window) {}

  /** Requests announcements from the wallets, and calls `heard` for each of them. Returns a function that stops listening. */
  listen(listener: () => void): () => void {
    const hear = (event: Event): void => {
      const detail = read(event, 'detail');
      const provider = read(detail, 'provider');
      // A wallet that announces itself again, under another name, keeps its button.
      if (!has(provider, 'request') || this.announced.has(provider) || this.announced.size >= MAX_ANNOUNCED) return;
      this.announced.set(provider, read(read(detail, 'info'), 'rdns'));
      listener();
    };
    this.window.addEventListener('eip6963:announceProvider', hear);
    this.window.dispatchEvent(new Event('eip6963:requestProvider'));
    return () => this.window.removeEventListener('eip6963:announceProvider', hear);
  }

  /**
   * The wallets that are present now, each once; for `phantom`, its Ethereum side. If there are two of one kind, an announced one is
   * preferred, then the first.
   */
  find(): ReadonlyMap<WalletKind, object> {
    const found = new Map<WalletKind, object>();
    const visited = new Set<object>();
    const take = (provider: unknown, kindOf: (provider: object) => WalletKind): void => {
      if (!has(provider, 'request') || visited.has(provider)) return;
      visited.add(provider);
      const kind = kindOf(provider);
      if (!found.has(kind)) found.set(kind, provider);
    };
    for (const [provider, rdns] of this.announced) take(provider, () => kindByName(provider, rdns));
    take(read(this.window, 'coinbaseWalletExtension'), () => 'coinbase');
    take(read(this.window, 'BinanceChain'), () => 'binance');
    take(read(read(this.window, 'binancew3w'), 'ethereum'), () => 'binance');
    const vessel = read(this.window, 'vessel');
    take(read(vessel, 'ethereum') ?? vessel, () => 'vessel');
    // Many wallets share this place, so that a place of a wallet's own comes first.
    const injected = read(this.window, 'ethereum');
    const several = itemsOf(read(injected, 'providers')).slice(0, MAX_ANNOUNCED);
    const all = several.length > 0 ? several : [injected];
    for (const provider of all) take(provider, kindByFlags);
    return found;
  }
}

/** Requests the person's first account (EIP-1102). Rejects if the response contains no address. */
export async function ethereumAddress(provider: object): Promise<string> {
  const accounts = await call(provider, 'request', { method: 'eth_requestAccounts' });
  const [address] = itemsOf(accounts);
  if (typeof address !== 'string' || !ADDRESS.test(address)) throw new TypeError('The wallet returned no address');
  // Servers accept the prefix in lower case.
  return `0x${address.slice(2)}`;
}

const hexOf = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/**
 * Signs the message (EIP-191, `personal_sign`). The message is sent as text, so that wallets show it. It is sent as UTF-8 in hexadecimal if
 * it looks like hexadecimal, which wallets would decode, or if the wallet accepts only hexadecimal.
 */
export async function ethereumSignature(provider: object, message: string, address: string): Promise<string> {
  const ask = async (text: string): Promise<unknown> =>
    call(provider, 'request', { method: 'personal_sign', params: [text, address] });
  const inHex = hexOf(message);
  const retryInHex = async (error: unknown): Promise<unknown> => {
    if (read(error, 'code') !== INVALID_PARAMS) throw error;
    return ask(inHex);
  };
  const signature = HEX.test(message) ? await ask(inHex) : await ask(message).catch(retryInHex);
  if (typeof signature !== 'string' || !SIGNATURE.test(signature))
    throw new TypeError('The wallet returned no signature');
  return signature;
}
