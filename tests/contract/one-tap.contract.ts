import type { OneTapOptions, OneTapPort, OneTapShown } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

/** What becomes of the prompts: they come, do not come, or the service cannot be reached or does not answer. */
export type OneTapFate = 'comes' | 'does not come' | 'is blocked' | 'does not answer';

export interface OneTapHarness extends Disposable {
  readonly oneTap: OneTapPort;
  /** From now on. */
  readonly fate: (fate: OneTapFate) => void | Promise<void>;
  /** How many prompts are there now. */
  readonly shown: () => number;
  /** The id of the element that the latest prompt was to stand in, or null. */
  readonly place: () => string | null;
  /** The person chooses an account, or closes the prompt; also one that is there no more. */
  readonly choose: (idToken: string) => void;
  readonly cancel: () => void;
  /** Lets time pass for the port's clock; what can settle has settled when it resolves. */
  readonly pass: (ms: number) => void | Promise<void>;
}

interface Prompt extends OneTapOptions {
  readonly heard: readonly string[];
}

/** Options that write down what they hear. */
function prompt(): Prompt {
  const heard: string[] = [];
  return {
    clientId: 'client.apps.example.com',
    nonce: 'nonce-of-this-login',
    cancelOnTapOutside: false,
    onCredential: (idToken) => void heard.push(`credential ${idToken}`),
    onCancelled: () => void heard.push('cancelled'),
    heard,
  };
}

async function show({ oneTap, pass }: OneTapHarness, options: OneTapOptions): Promise<OneTapShown> {
  const shown = oneTap.show(options);
  await pass(10_000);
  return shown;
}

/** The contract of OneTapPort. */
export function oneTapContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => OneTapHarness | Promise<OneTapHarness>,
): void {
  const { expect } = runner;
  suite(runner, `OneTapPort: ${name}`, makeHarness, (test) => {
    test('resolves with success once the prompt is there', async (harness) => {
      const options = prompt();
      expect(await show(harness, options)).toEqual({ success: true });
      expect(harness.shown()).toBe(1);
      expect(options.heard).toEqual([]);
    });

    test('stands in the element that it is given, and without one over the page', async (harness) => {
      const options = prompt();
      await show(harness, { ...options, parentId: 'place' });
      expect([harness.shown(), harness.place()]).toEqual([1, 'place']);
      await show(harness, options);
      expect([harness.shown(), harness.place()]).toEqual([1, null]);
    });

    test('reports whether this browser draws prompts itself', async ({ oneTap }) => {
      expect(typeof (await oneTap.isDrawnByBrowser())).toBe('boolean');
    });

    for (const fate of ['does not come', 'is blocked', 'does not answer'] as const) {
      test(`resolves with a reason within 10 s when the prompt ${fate}, and tells nothing more`, async (harness) => {
        await harness.fate(fate);
        const options = prompt();
        const answer = await show(harness, options);
        expect([answer.success, typeof (answer.success || answer.reason)]).toEqual([false, 'string']);
        harness.cancel();
        harness.choose('late');
        expect([harness.shown(), options.heard]).toEqual([0, []]);
      });
    }

    test('can be shown after it could not', async (harness) => {
      await harness.fate('is blocked');
      await show(harness, prompt());
      await harness.fate('comes');
      expect(await show(harness, prompt())).toEqual({ success: true });
    });

    test('reports the account that the person chose, once', async (harness) => {
      const options = prompt();
      await show(harness, options);
      harness.choose('a.b.c');
      harness.cancel();
      await harness.pass(1_000);
      expect(options.heard).toEqual(['credential a.b.c']);
    });

    test('reports that the person closed it, once', async (harness) => {
      const options = prompt();
      await show(harness, options);
      harness.cancel();
      harness.cancel();
      await harness.pass(1_000);
      expect(options.heard).toEqual(['cancelled']);
    });

    test('puts a new prompt in the place of the last, which tells nothing more', async (harness) => {
      const [first, second] = [prompt(), prompt()];
      await show(harness, first);
      await show(harness, second);
      expect(harness.shown()).toBe(1);
      harness.choose('a.b.c');
      expect([first.heard, second.heard]).toEqual([[], ['credential a.b.c']]);
    });

    test('resolves both of two prompts asked for at once, and shows the latter', async (harness) => {
      const [first, second] = [prompt(), prompt()];
      const both = Promise.all([harness.oneTap.show(first), harness.oneTap.show(second)]);
      await harness.pass(10_000);
      expect((await both)[1]).toEqual({ success: true });
      harness.choose('a.b.c');
      expect([first.heard, second.heard]).toEqual([[], ['credential a.b.c']]);
    });

    test('takes the prompt away, and no callback comes after it', async (harness) => {
      const options = prompt();
      await show(harness, options);
      harness.oneTap.hide();
      expect(harness.shown()).toBe(0);
      harness.choose('late');
      harness.cancel();
      await harness.pass(1_000);
      harness.oneTap.hide();
      expect(options.heard).toEqual([]);
    });

    test('takes away a prompt that is still on its way', async (harness) => {
      const options = prompt();
      const shown = harness.oneTap.show(options);
      harness.oneTap.hide();
      await harness.pass(10_000);
      await shown;
      expect(harness.shown()).toBe(0);
      harness.choose('late');
      expect(options.heard).toEqual([]);
    });
  });
}
