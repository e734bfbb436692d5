import { describe, expect, it } from 'vitest';
import type { WalletKind } from '#domain/wallets/wallets.ts';
import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { announce, ethereumProvider, found, solanaWallet, windowWith } from './support/scripted-wallets.ts';

const eth = (...flags: readonly string[]) =>
  ethereumProvider(undefined, Object.fromEntries(flags.map((flag) => [flag, true])));
const sol = (...flags: readonly string[]) =>
  solanaWallet(undefined, Object.fromEntries(flags.map((flag) => [flag, true])));

type Row = readonly [what: string, globals: Readonly<Record<string, unknown>>, kinds: readonly WalletKind[]];

const WINDOWS: readonly Row[] = [
  ['no wallet', {}, []],
  ['MetaMask', { ethereum: eth('isMetaMask') }, ['metamask']],
  ['Coinbase', { ethereum: eth('isCoinbaseWallet') }, ['coinbase']],
  ['Coinbase that is MetaMask too', { ethereum: eth('isMetaMask', 'isCoinbaseWallet') }, ['coinbase']],
  ['Coinbase in a place of its own', { coinbaseWalletExtension: eth() }, ['coinbase']],
  ['Coinbase in both places', { ethereum: eth('isCoinbaseWallet'), coinbaseWalletExtension: eth() }, ['coinbase']],
  ['Binance by its flag', { ethereum: eth('isBinance') }, ['binance']],
  ['Binance’s old extension', { BinanceChain: eth() }, ['binance']],
  ['Binance’s new extension', { binancew3w: { ethereum: eth() } }, ['binance']],
  ['Vessel', { vessel: eth() }, ['vessel']],
  ['Vessel with a provider inside', { vessel: { ethereum: eth() } }, ['vessel']],
  ['Vessel by its flag', { ethereum: eth('isVessel') }, ['vessel']],
  ['a wallet that nobody knows', { ethereum: eth() }, ['ethereum']],
  ['one that calls itself MetaMask and more', { ethereum: eth('isMetaMask', 'isRabby') }, ['ethereum']],
  ['Brave’s own wallet', { ethereum: eth('isMetaMask', 'isBraveWallet') }, ['ethereum']],
  ['a flag that is not true', { ethereum: ethereumProvider(undefined, { isMetaMask: 'yes' }) }, ['ethereum']],
  [
    'several at one place',
    { ethereum: { providers: [eth('isMetaMask'), eth('isCoinbaseWallet')] } },
    ['metamask', 'coinbase'],
  ],
  [
    'several at one place, behind one that speaks for them',
    { ethereum: { ...eth('isCoinbaseWallet'), providers: [eth('isMetaMask'), eth('isBinance'), eth()] } },
    ['metamask', 'binance', 'ethereum'],
  ],
  ['an empty list of several', { ethereum: { ...eth('isMetaMask'), providers: [] } }, ['metamask']],
  ['two of one kind', { ethereum: { providers: [eth('isMetaMask'), eth('isMetaMask')] } }, ['metamask']],
  ['Phantom', { phantom: { solana: sol('isPhantom') } }, ['phantom']],
  ['Phantom in Solana’s place', { solana: sol('isPhantom') }, ['phantom']],
  [
    'Phantom with its Ethereum side',
    { phantom: { solana: sol('isPhantom'), ethereum: eth('isPhantom') }, ethereum: eth('isPhantom', 'isMetaMask') },
    ['phantom'],
  ],
  [
    'Phantom and MetaMask',
    { phantom: { solana: sol('isPhantom') }, solana: sol('isPhantom'), ethereum: eth('isMetaMask') },
    ['metamask', 'phantom'],
  ],
  ['Phantom for Ethereum alone', { ethereum: eth('isPhantom', 'isMetaMask') }, ['ethereum']],
  ['Phantom for Ethereum, and another', { ethereum: { providers: [eth('isPhantom'), eth()] } }, ['ethereum']],
  ['a Solana wallet that nobody knows', { solana: sol() }, ['solana']],
  ['another in a place of its own', { solflare: sol('isSolflare') }, ['solana']],
  ['Phantom and another', { phantom: { solana: sol('isPhantom') }, solana: sol() }, ['phantom', 'solana']],
  ['one object in both places', ((one) => ({ phantom: { solana: one }, solana: one }))(sol()), ['phantom']],
  [
    'all of them',
    {
      ethereum: { providers: [eth('isMetaMask'), eth('isCoinbaseWallet'), eth()] },
      phantom: { solana: sol() },
      solana: sol(),
      vessel: eth(),
      BinanceChain: eth(),
    },
    ['metamask', 'coinbase', 'phantom', 'vessel', 'binance', 'ethereum', 'solana'],
  ],
  ['things that are no wallets', { ethereum: 42, solana: 'x', phantom: null, vessel: [], BinanceChain: () => 1 }, []],
  ['objects without methods', { ethereum: {}, solana: {}, phantom: { solana: {} }, vessel: {} }, []],
  ['a Solana wallet that cannot sign', { solana: { connect: () => undefined } }, []],
  [
    'getters that throw',
    {
      get ethereum(): never {
        throw new Error('no');
      },
      get solana(): never {
        throw new Error('no');
      },
      vessel: eth(),
    },
    ['vessel'],
  ],
  [
    'an object that throws at everything',
    {
      ethereum: new Proxy(eth(), {
        get: () => {
          throw new Error('no');
        },
      }),
    },
    [],
  ],
];

describe('the wallets of a window', () => {
  it.each(WINDOWS)('with %s', (_, globals, kinds) => {
    expect(found(windowWith(globals))).toEqual(kinds);
  });

  it.each([
    ['io.metamask', eth(), ['metamask']],
    ['io.metamask.flask', eth(), ['metamask']],
    ['com.coinbase.wallet', eth(), ['coinbase']],
    ['com.binance.wallet', eth(), ['binance']],
    ['app.phantom', eth('isPhantom', 'isMetaMask'), ['ethereum']],
    ['app.phantom', eth(), ['ethereum']],
    ['io.rabby', eth('isMetaMask', 'isRabby'), ['ethereum']],
    ['example.sly', eth('isMetaMask'), ['ethereum']],
    ['example.other', eth('isCoinbaseWallet'), ['coinbase']],
    [undefined, eth('isMetaMask'), ['metamask']],
    [42, eth(), ['ethereum']],
    ['io.metamask', {}, []],
    ['io.metamask', null, []],
  ] as const)('that announces itself as %s', (rdns, provider, kinds) => {
    const window = windowWith();
    announce(window, provider, rdns);
    expect(found(window)).toEqual(kinds);
  });

  it('that announces nothing of the right shape, or without end', () => {
    const window = windowWith();
    window.addEventListener('eip6963:requestProvider', () => {
      for (const detail of [undefined, null, 7, 'x', [], { info: null }, { provider: 1 }]) {
        window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }));
      }
      for (let count = 0; count < 5_000; count += 1) {
        const detail = { info: { rdns: 'io.metamask' }, provider: eth() };
        window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }));
      }
    });
    expect(found(window)).toEqual(['metamask']);
  });

  it('that comes without a word is found within three seconds, and told once', async () => {
    const [window, clock] = [windowWith(), new VirtualClock()];
    const seen: (readonly WalletKind[])[] = [];
    const watch = new InjectedWallets(window, clock).detect().subscribe((kinds) => seen.push(kinds));
    Object.assign(window, { solana: sol() });
    await clock.advance(3_000);
    expect(seen).toEqual([[], ['solana']]);
    Object.assign(window, { ethereum: eth('isMetaMask') });
    window.dispatchEvent(new Event('ethereum#initialized'));
    expect(seen.at(-1)).toEqual(['metamask', 'solana']);
    watch.unsubscribe();
  });
});

describe('an Ethereum address that a wallet returns', () => {
  const DIGITS = 'fb6916095ca1df60bb79ce92ce3ea74c37c5d359';
  const connect = async (address: string): Promise<string> => {
    const ethereum = { request: async () => [address] };
    return new InjectedWallets(windowWith({ ethereum }), new VirtualClock()).connect('ethereum');
  };

  it.each([
    [`0x${DIGITS.toUpperCase()}`, `0x${DIGITS.toUpperCase()}`],
    [`0X${DIGITS.toUpperCase()}`, `0x${DIGITS.toUpperCase()}`],
  ])('may be in one case (EIP-55), and gets the prefix that servers know: %s', async (address, sent) => {
    expect(await connect(address)).toBe(sent);
  });
});
