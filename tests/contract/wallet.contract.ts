import type { WalletPort } from '#application/ports/index.ts';
import type { WalletChain, WalletKind } from '#domain/wallets/wallets.ts';
import { rejectionOf, suite, type Disposable, type TestRunner } from './runner.ts';

export interface WalletHarness extends Disposable {
  readonly wallet: WalletPort;
  /** Puts one more wallet into the browser. */
  readonly put: (kind: WalletKind) => void;
  /** What the wallets of a chain answer for an address. */
  readonly addressOf: (chain: WalletChain) => string;
  /** Whether it is the signature of the message by that address. */
  readonly isSignature: (signature: string, message: string, address: string) => boolean;
  /** The person says no from now on. */
  readonly refuse: (what: 'connect' | 'sign') => void;
  /** The person hesitates from now on, until the returned function is called. */
  readonly hold: () => () => void;
  /** How often the person was asked something. */
  readonly asked: () => number;
  /** Lets time pass for the port's clock; what can settle has settled when it resolves. */
  readonly pass: (ms: number) => void | Promise<void>;
}

/** One of each chain. */
const KINDS = ['metamask', 'phantom'] as const;
const CHAINS = { metamask: 'ethereum', phantom: 'solana' } as const;
const FORMS = { ethereum: /^0x(?:[0-9a-f]{2})+$/iu, solana: /^[1-9A-HJ-NP-Za-km-z]+$/u } as const;
const MESSAGES = ['Sign in.', 'Grüße, 🦊\nzweite Zeile', '0x68656c6c6f', ''];

const messageOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = await rejectionOf(promise);
  return error instanceof Error ? error.message : error;
};

/** The contract of WalletPort. */
export function walletContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => WalletHarness | Promise<WalletHarness>,
): void {
  const { expect } = runner;
  suite(runner, `WalletPort: ${name}`, makeHarness, (test) => {
    /** What is emitted until the returned function is called, and whether it ended. */
    const watch = ({ wallet }: WalletHarness) => {
      const seen: (readonly WalletKind[])[] = [];
      let hasEnded = false;
      const end = (): void => void (hasEnded = true);
      const subscription = wallet.detect().subscribe({ next: (kinds) => seen.push(kinds), error: end, complete: end });
      return { seen, hasEnded: () => hasEnded, stop: () => subscription.unsubscribe() };
    };

    test('finds nothing where nothing is, and goes on looking', async (harness) => {
      const { seen, hasEnded, stop } = watch(harness);
      await harness.pass(60_000);
      expect([seen, hasEnded()]).toEqual([[[]], false]);
      stop();
    });

    test('finds what is there, each kind once', async (harness) => {
      for (const kind of [...KINDS, ...KINDS]) harness.put(kind);
      const { seen, stop } = watch(harness);
      await harness.pass(60_000);
      expect(Array.from(seen.at(-1) ?? []).sort()).toEqual(['metamask', 'phantom']);
      stop();
    });

    test('finds wallets that come later, until the last listener leaves', async (harness) => {
      const { seen, stop } = watch(harness);
      harness.put('metamask');
      await harness.pass(60_000);
      expect(seen.at(-1)).toEqual(['metamask']);
      stop();
      const before = seen.length;
      harness.put('phantom');
      await harness.pass(60_000);
      expect(seen.length).toBe(before);
    });

    for (const kind of KINDS) {
      test(`asks ${kind} for an address, also when nobody looked for it before`, async (harness) => {
        harness.put(kind);
        expect(await harness.wallet.connect(kind)).toBe(harness.addressOf(CHAINS[kind]));
      });

      test(`lets ${kind} sign a message, whatever it says`, async (harness) => {
        harness.put(kind);
        const address = await harness.wallet.connect(kind);
        for (const message of MESSAGES) {
          const signature = await harness.wallet.sign(kind, message, address);
          expect(FORMS[CHAINS[kind]].test(signature)).toBe(true);
          expect(harness.isSignature(signature, message, address)).toBe(true);
        }
      });

      test(`rejects with an Error of one text when ${kind} refuses`, async (harness) => {
        harness.put(kind);
        const address = await harness.wallet.connect(kind);
        harness.refuse('sign');
        expect(await messageOf(harness.wallet.sign(kind, 'Sign in.', address))).toBe('Could not sign message');
        harness.refuse('connect');
        expect(await messageOf(harness.wallet.connect(kind))).toBe('Could not connect to wallet');
      });

      test(`rejects with an Error of one text when ${kind} is not there`, async ({ wallet, addressOf }) => {
        expect(await messageOf(wallet.connect(kind))).toBe('Could not connect to wallet');
        const signed = wallet.sign(kind, 'Sign in.', addressOf(CHAINS[kind]));
        expect(await messageOf(signed)).toBe('Could not sign message');
      });

      test(`asks once while ${kind} waits for the person, and anew after`, async (harness) => {
        harness.put(kind);
        const decide = harness.hold();
        const both = [harness.wallet.connect(kind), harness.wallet.connect(kind)];
        await harness.pass(0);
        expect(harness.asked()).toBe(1);
        decide();
        const address = harness.addressOf(CHAINS[kind]);
        expect(await Promise.all(both)).toEqual([address, address]);
        await harness.pass(0);
        await harness.wallet.connect(kind);
        expect(harness.asked()).toBe(2);
      });
    }
  });
}
