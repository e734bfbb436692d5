import { describe, expect, it, vi } from 'vitest';
import type { WalletKind } from '#domain/wallets/wallets.ts';
import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import {
  ethereumProvider,
  found,
  register,
  SOLANA_ADDRESS,
  solanaWallet,
  standardAccount,
  standardWallet,
  windowWith,
  type RegisterCallback,
} from './support/scripted-wallets.ts';

type SignMessage = (input: object) => Promise<readonly { readonly signature: Uint8Array }[]>;

const eth = (flag: string) => ethereumProvider(undefined, { [flag]: true });
const sol = (...flags: readonly string[]) =>
  solanaWallet(undefined, Object.fromEntries(flags.map((flag) => [flag, true])));

const unsigned = { version: '1.0.0', signTransaction: () => undefined };
const without = (feature: string) => {
  const wallet = standardWallet();
  return { ...wallet, features: { ...wallet.features, [feature]: undefined, 'solana:signTransaction': unsigned } };
};
const fail = (): never => {
  throw new Error('no');
};

describe('the wallets that register themselves (Wallet Standard)', () => {
  it.each<readonly [what: string, names: readonly unknown[], globals: object, kinds: readonly WalletKind[]]>([
    ['Phantom', [standardWallet('Phantom')], {}, ['phantom']],
    ['another', [standardWallet('Solflare')], {}, ['solana']],
    ['several', [standardWallet('Solflare'), standardWallet('Phantom')], {}, ['phantom', 'solana']],
    ['Phantom, also in its place', [standardWallet('Phantom')], { phantom: { solana: sol('isPhantom') } }, ['phantom']],
    ['Phantom, also in Solana’s place', [standardWallet('Phantom')], { solana: sol('isPhantom') }, ['phantom']],
    ['another, also in its place', [standardWallet('Solflare')], { solflare: sol('isSolflare') }, ['solana']],
    ['another with Phantom’s flag in the window', [standardWallet('Glow')], { solana: sol('isPhantom') }, ['solana']],
    [
      'another beside a Phantom that does not',
      [standardWallet('Glow')],
      { phantom: { solana: sol('isPhantom') }, solana: sol('isPhantom') },
      ['phantom', 'solana'],
    ],
    ['MetaMask on both chains', [standardWallet('MetaMask')], { ethereum: eth('isMetaMask') }, ['metamask', 'solana']],
    ['one that only sends', [without('solana:signMessage')], {}, []],
    ['one that cannot connect', [without('standard:connect')], {}, []],
    ['nothing of the right shape', [undefined, null, 7, 'x', [], {}, { features: null }, { features: [] }], {}, []],
    [
      'an object that throws at everything',
      [new Proxy(standardWallet(), { get: fail }), standardWallet()],
      {},
      ['solana'],
    ],
  ])('with %s', (_, wallets, globals, kinds) => {
    const window = windowWith({ ...globals });
    for (const wallet of wallets) register(window, wallet);
    expect(found(window)).toEqual(kinds);
  });

  it('appear when they come late, and go when they are taken away', () => {
    const window = windowWith();
    const seen: (readonly WalletKind[])[] = [];
    const watch = new InjectedWallets(window, new VirtualClock()).detect().subscribe((kinds) => seen.push(kinds));
    const remove = register(window, standardWallet('Phantom'));
    register(window, standardWallet());
    remove();
    expect(seen).toEqual([[], ['phantom'], ['phantom', 'solana'], ['solana']]);
    watch.unsubscribe();
    register(window, standardWallet('Phantom'));
    expect(seen).toHaveLength(4);
  });

  it('may keep the registry, and use it later', () => {
    const window = windowWith();
    const seen: (readonly WalletKind[])[] = [];
    let add: ((...wallets: readonly unknown[]) => () => void) | undefined;
    window.addEventListener('wallet-standard:app-ready', (event) => {
      add = (event as CustomEvent<Parameters<RegisterCallback>[0]>).detail.register;
    });
    new InjectedWallets(window, new VirtualClock()).detect().subscribe((kinds) => seen.push(kinds));
    add?.(standardWallet('Phantom'), standardWallet());
    expect(seen).toEqual([[], ['phantom', 'solana']]);
  });

  it('break nothing with what they send, and without end', () => {
    const window = windowWith();
    window.addEventListener('wallet-standard:app-ready', (event) => {
      const { register: add } = (event as CustomEvent<Parameters<RegisterCallback>[0]>).detail;
      for (let count = 0; count < 5_000; count += 1) add({}, null);
      // One of more than a browser has.
      add(standardWallet());
      const details = [undefined, null, 7, 'x', {}, fail, new Proxy(() => undefined, { apply: fail })];
      for (const detail of details)
        window.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail }));
      const throwing = Object.defineProperty(new Event('wallet-standard:register-wallet'), 'detail', { get: fail });
      window.dispatchEvent(throwing);
    });
    expect(found(window)).toEqual([]);
  });

  it('that cannot be called are no wallets', () => {
    const window = windowWith();
    const { features } = standardWallet();
    for (const name of ['standard:connect', 'solana:signMessage'])
      register(window, { ...standardWallet(), features: { ...features, [name]: { version: '1.0.0' } } });
    expect(found(window)).toEqual([]);
  });

  it('are told once when the search begins', () => {
    const window = windowWith();
    for (const name of ['Phantom', 'Glow']) register(window, standardWallet(name));
    const seen: (readonly WalletKind[])[] = [];
    new InjectedWallets(window, new VirtualClock()).detect().subscribe((kinds) => seen.push(kinds));
    expect(seen).toEqual([['phantom', 'solana']]);
  });

  it('cost nothing after the search', () => {
    let reads = 0;
    const window = windowWith(Object.defineProperty({}, 'solana', { get: () => void (reads += 1), enumerable: true }));
    const remove = register(window, standardWallet());
    expect(found(window)).toEqual(['solana']);
    const before = reads;
    remove();
    const callback = vi.fn();
    window.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: callback }));
    expect([reads - before, callback.mock.calls]).toEqual([0, []]);
  });

  it('cannot change the registry for others', () => {
    const window = windowWith();
    window.addEventListener('wallet-standard:app-ready', (event) => {
      const { detail } = event as CustomEvent<Parameters<RegisterCallback>[0]>;
      Reflect.set(detail, 'register', fail);
    });
    register(window, standardWallet());
    expect(found(window)).toEqual(['solana']);
  });

  it('may list no features of an account, and no signed message', async () => {
    const window = windowWith();
    const wallet = standardWallet();
    const { signMessage } = wallet.features['solana:signMessage'] as { signMessage: SignMessage };
    wallet.accounts = [standardAccount(SOLANA_ADDRESS, [])];
    const [account] = wallet.accounts;
    wallet.features['standard:connect'] = { connect: async () => ({ accounts: [account] }) };
    wallet.features['solana:signMessage'] = {
      signMessage: async (input: object) => (await signMessage(input)).map(({ signature }) => ({ signature })),
    };
    register(window, wallet);
    const wallets = new InjectedWallets(window, new VirtualClock());
    const address = await wallets.connect('solana');
    expect(await wallets.sign('solana', 'Sign in.', address)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/u);
    wallet.features['solana:signMessage'] = { signMessage: async () => [{ signature: new Uint8Array(63).fill(1) }] };
    const refusal = await wallets.sign('solana', 'Sign in.', address).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ cause: { message: 'The wallet returned no signature' } });
    wallet.features = { ...wallet.features, 'solana:signMessage': undefined };
    await expect(wallets.sign('solana', 'Sign in.', address)).rejects.toThrow('Could not sign message');
  });

  it('are one of a kind: the first is asked', async () => {
    const window = windowWith();
    const [first, second] = [standardWallet('Solflare'), standardWallet('Glow')];
    for (const wallet of [first, second]) register(window, wallet);
    await new InjectedWallets(window, new VirtualClock()).connect('solana');
    expect([first.accounts.length, second.accounts.length]).toEqual([1, 0]);
  });

  it('do not sign for another one that has connected', async () => {
    const window = windowWith({ solana: sol() });
    const wallets = new InjectedWallets(window, new VirtualClock());
    const watch = wallets.detect().subscribe();
    const address = await wallets.connect('solana');
    register(window, standardWallet());
    expect(await wallets.sign('solana', 'Sign in.', address)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/u);
    watch.unsubscribe();
  });

  it('answer a page that asks without a search, and sign with the account as it is then', async () => {
    const window = windowWith();
    const wallet = standardWallet('Phantom');
    const wallets = new InjectedWallets(window, new VirtualClock());
    register(window, wallet);
    const address = await wallets.connect('phantom');
    expect(address).toBe(SOLANA_ADDRESS);
    wallet.accounts = [standardAccount('So11111111111111111111111111111111111111112'), standardAccount()];
    expect(await wallets.sign('phantom', 'Sign in.', address)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/u);
    wallet.accounts = [standardAccount('So11111111111111111111111111111111111111112')];
    const refusal = await wallets.sign('phantom', 'Sign in.', address).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ cause: { message: 'The wallet changed to another account' } });
  });
});
