import type { WalletKind } from '../../domain/wallets.ts';
import { call, flagsOf, has, read } from './foreign.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/iu;
/** 65 bytes; wallets that are contracts answer more, which is for the server to judge. */
const SIGNATURE = /^0x[0-9a-f]{130,8192}$/iu;
const HEX = /^0x[0-9a-f]*$/iu;
/** JSON-RPC 2.0, section 5.1: the wallet takes the message in another form only. */
const INVALID_PARAMS = -32602;
/** More than any browser has; a page that announces without end fills no memory. */
const MAX_ANNOUNCED = 32;

/** Reverse domain names of EIP-6963. Phantom is offered for Solana, so its Ethereum side is nothing of ours. */
const NAMES: readonly (readonly [RegExp, WalletKind | null])[] = [
  [/^io\.metamask(?:\.|$)/u, 'metamask'],
  [/^com\.coinbase\./u, 'coinbase'],
  [/^com\.binance\./u, 'binance'],
  [/^app\.phantom(?:\.|$)/u, null],
];

const FLAGS: readonly (readonly [string, WalletKind | null])[] = [
  ['isPhantom', null],
  ['isCoinbaseWallet', 'coinbase'],
  ['isBinance', 'binance'],
  ['isVessel', 'vessel'],
];

/** Whose provider it is, by its flags; null for one that is not offered. Many call themselves MetaMask, and more. */
function kindByFlags(provider: object): WalletKind | null {
  for (const [flag, kind] of FLAGS) if (read(provider, flag) === true) return kind;
  if (read(provider, 'isMetaMask') !== true) return 'ethereum';
  return flagsOf(provider).some((flag) => flag !== 'isMetaMask') ? 'ethereum' : 'metamask';
}

function kindByName(provider: object, rdns: unknown): WalletKind | null {
  if (typeof rdns !== 'string') return kindByFlags(provider);
  const known = NAMES.find(([pattern]) => pattern.test(rdns));
  if (known !== undefined) return known[1];
  const kind = kindByFlags(provider);
  // MetaMask announces its own name: one that only has its flag is another.
  return kind === 'metamask' ? 'ethereum' : kind;
}

/** The providers of Ethereum wallets (EIP-1193): those that announced themselves (EIP-6963), and those in the window. */
export class EthereumWallets {
  /** Each with its reverse domain name. */
  private readonly announced = new Map<object, unknown>();

  constructor(private readonly window: Window) {}

  /** Asks wallets to announce themselves, and calls back whenever one does. Answers how to stop. */
  listen(heard: () => void): () => void {
    const hear = (event: Event): void => {
      const detail = read(event, 'detail');
      const provider = read(detail, 'provider');
      if (!has(provider, 'request') || this.announced.size >= MAX_ANNOUNCED) return;
      this.announced.set(provider, read(read(detail, 'info'), 'rdns'));
      heard();
    };
    this.window.addEventListener('eip6963:announceProvider', hear);
    this.window.dispatchEvent(new Event('eip6963:requestProvider'));
    return () => this.window.removeEventListener('eip6963:announceProvider', hear);
  }

  /** The wallets that are there now; of two of a kind, the one that announced itself, or came first. */
  find(): ReadonlyMap<WalletKind, object> {
    const found = new Map<WalletKind, object>();
    const take = (provider: unknown, kindOf: (provider: object) => WalletKind | null): void => {
      if (!has(provider, 'request')) return;
      const kind = kindOf(provider);
      if (kind !== null && !found.has(kind)) found.set(kind, provider);
    };
    for (const [provider, rdns] of this.announced) take(provider, () => kindByName(provider, rdns));
    const injected = read(this.window, 'ethereum');
    const several = read(injected, 'providers');
    const all = Array.isArray(several) && several.length > 0 ? several.slice(0, MAX_ANNOUNCED) : [injected];
    for (const provider of all) take(provider, kindByFlags);
    take(read(this.window, 'coinbaseWalletExtension'), () => 'coinbase');
    take(read(this.window, 'BinanceChain'), () => 'binance');
    take(read(read(this.window, 'binancew3w'), 'ethereum'), () => 'binance');
    const vessel = read(this.window, 'vessel');
    take(read(vessel, 'ethereum') ?? vessel, () => 'vessel');
    return found;
  }
}

/** Asks for the person's first account (EIP-1102). Rejects when there is no address in the answer. */
export async function ethereumAddress(provider: object): Promise<string> {
  const accounts = await call(provider, 'request', { method: 'eth_requestAccounts' });
  const address = Array.isArray(accounts) ? read(accounts, '0') : undefined;
  if (typeof address !== 'string' || !ADDRESS.test(address)) throw new TypeError('The wallet answered no address');
  return address;
}

const hexOf = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/**
 * Signs the message (EIP-191, `personal_sign`). It goes as text, which wallets show as such; a text that looks like
 * hexadecimal, which they would decode, and one for a wallet that takes nothing else, goes as its UTF-8 in hexadecimal.
 */
export async function ethereumSignature(provider: object, message: string, address: string): Promise<string> {
  const ask = async (text: string): Promise<unknown> =>
    call(provider, 'request', { method: 'personal_sign', params: [text, address] });
  const inHex = hexOf(message);
  const refused = async (error: unknown): Promise<unknown> => {
    if (read(error, 'code') !== INVALID_PARAMS) throw error;
    return ask(inHex);
  };
  const signature = HEX.test(message) ? await ask(inHex) : await ask(message).catch(refused);
  if (typeof signature !== 'string' || !SIGNATURE.test(signature))
    throw new TypeError('The wallet answered no signature');
  return signature;
}
