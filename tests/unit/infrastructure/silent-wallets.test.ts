import { describe, expect, it } from 'vitest';
import type { WalletKind } from '#domain/wallets/wallets.ts';
import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { announce, ethereumProvider, register, standardWallet, windowWith } from './support/scripted-wallets.ts';

function found(window: Window): readonly WalletKind[] {
  let kinds: readonly WalletKind[] = [];
  new InjectedWallets(window, new VirtualClock())
    .detect()
    .subscribe((now) => (kinds = now))
    .unsubscribe();
  return kinds;
}

describe('a wallet that announces itself under several names', () => {
  it('has one, the first', () => {
    const window = windowWith();
    const provider = ethereumProvider(undefined, { isMetaMask: true });
    for (const name of ['example.sly', 'io.metamask', 'com.coinbase.wallet']) announce(window, provider, name);
    Object.assign(window, { ethereum: provider, BinanceChain: provider });
    expect(found(window)).toEqual(['ethereum']);
    const other = windowWith({ ethereum: ethereumProvider(undefined, { isMetaMask: true }) });
    announce(other, provider, 'example.sly');
    expect(found(other)).toEqual(['metamask', 'ethereum']);
  });

  it('is one of at most thirty-two, so that a page cannot fill the memory', () => {
    const window = windowWith();
    for (let count = 0; count < 32; count += 1) announce(window, ethereumProvider(), 'example.other');
    announce(window, ethereumProvider(), 'io.metamask');
    expect(found(window)).toEqual(['ethereum']);
  });

  it('has that of its own place rather than that of a shared one', () => {
    const provider = ethereumProvider();
    expect(found(windowWith({ ethereum: provider, coinbaseWalletExtension: provider }))).toEqual(['coinbase']);
  });

  it('keeps it when it is registered, and stays as long as its first registration', () => {
    const window = windowWith();
    const wallet = standardWallet('Phantom');
    const seen: (readonly WalletKind[])[] = [];
    const watch = new InjectedWallets(window, new VirtualClock()).detect().subscribe((kinds) => seen.push(kinds));
    const remove = register(window, wallet);
    wallet.name = 'Solflare';
    register(window, wallet)();
    expect(seen).toEqual([[], ['phantom']]);
    remove();
    expect(seen).toEqual([[], ['phantom'], []]);
    watch.unsubscribe();
  });
});

describe('a connection request that a wallet does not answer', () => {
  type Answer = (value: string | Error) => void;
  const ADDRESSES = ['0x52908400098527886e0f7030069857d2e4169ee7', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359'];
  const pending = (): Error => Object.assign(new Error('Already processing'), { code: -32002 });

  /** A wallet whose answers come when the test gives them. */
  function silent() {
    const answers: Answer[] = [];
    const ethereum = {
      request: () =>
        new Promise((resolve, reject) =>
          answers.push((value) => (typeof value === 'string' ? resolve([value]) : reject(value))),
        ),
    };
    const clock = new VirtualClock();
    const wallets = new InjectedWallets(windowWith({ ethereum }), clock);
    const ask = () => {
      const result = wallets.connect('ethereum');
      result.catch(() => undefined);
      return result;
    };
    return { answers, clock, ask };
  }
  const causeOf = async (result: Promise<string>): Promise<unknown> =>
    ((await result.catch((error: unknown) => error)) as Error).cause;

  it('is shared for three seconds; then the wallet is asked again', async () => {
    const { answers, clock, ask } = silent();
    void ask();
    await clock.advance(2_999);
    void ask();
    expect(answers).toHaveLength(1);
    await clock.advance(1);
    const later = [ask(), ask()];
    await clock.advance(0);
    expect(answers).toHaveLength(2);
    answers[1]?.(ADDRESSES[1] ?? '');
    expect(await Promise.all(later)).toEqual([ADDRESSES[1], ADDRESSES[1]]);
    void ask();
    await clock.advance(0);
    expect(answers).toHaveLength(3);
  });

  it('is answered by either, whichever comes first', async () => {
    const { answers, clock, ask } = silent();
    void ask();
    await clock.advance(3_000);
    const later = ask();
    await clock.advance(0);
    answers[0]?.(ADDRESSES[0] ?? '');
    expect(await later).toBe(ADDRESSES[0]);
  });

  it('is refused by the later one alone, unless the wallet still shows the earlier one', async () => {
    const { answers, clock, ask } = silent();
    const earlier = ask();
    await clock.advance(3_000);
    const later = ask();
    await clock.advance(0);
    const expired = new Error('expired');
    answers[0]?.(expired);
    expect(await causeOf(earlier)).toBe(expired);
    answers[1]?.(ADDRESSES[1] ?? '');
    expect(await later).toBe(ADDRESSES[1]);

    const other = silent();
    void other.ask();
    await other.clock.advance(3_000);
    const waiting = other.ask();
    await other.clock.advance(0);
    other.answers[1]?.(pending());
    const declined = new Error('declined');
    other.answers[0]?.(declined);
    expect(await causeOf(waiting)).toBe(declined);

    const third = silent();
    void third.ask();
    await third.clock.advance(3_000);
    const refused = third.ask();
    await third.clock.advance(0);
    third.answers[1]?.(declined);
    expect(await causeOf(refused)).toBe(declined);
  });
});

describe('a message that an Ethereum wallet signs', () => {
  const signing = async (message: string, code?: number) => {
    const asked: unknown[] = [];
    const request = async ({ params }: { readonly params: readonly unknown[] }) => {
      asked.push(params[0]);
      if (code !== undefined) throw Object.assign(new Error('no'), { code });
      return `0x${'12'.repeat(65)}`;
    };
    const wallets = new InjectedWallets(windowWith({ ethereum: { request } }), new VirtualClock());
    await wallets.sign('ethereum', message, `0x${'ab'.repeat(20)}`).catch(() => undefined);
    return asked;
  };

  it('is its text, but hexadecimal where the wallet would decode it', async () => {
    expect(await signing('Sign in.')).toEqual(['Sign in.']);
    expect(await signing('0x68')).toEqual(['0x30783638']);
  });

  it('is shown once to a person who refuses it', async () => {
    expect(await signing('Sign in.', 4001)).toEqual(['Sign in.']);
  });
});
