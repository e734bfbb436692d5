import type { UsedProofsPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export interface UsedProofsHarness extends Disposable {
  /** What one process of the server remembers, nothing yet. */
  readonly here: UsedProofsPort;
  /** The same memory in another process. */
  readonly elsewhere: UsedProofsPort;
  /** The time by its clock, in milliseconds since 1970. */
  readonly now: () => number;
}

const IDS = ['A'.repeat(43), 'B'.repeat(43)] as const;
const LIFETIME_MS = 6 * 60_000;

/** The contract of UsedProofsPort. */
export function usedProofsContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => UsedProofsHarness | Promise<UsedProofsHarness>,
): void {
  const { expect } = runner;
  suite(runner, `UsedProofsPort: ${name}`, makeHarness, (test) => {
    test('accepts an id once, in whichever process', async ({ here, elsewhere, now }) => {
      const until = now() + LIFETIME_MS;
      expect(await here.add(IDS[0], until)).toBe(true);
      expect([await here.add(IDS[0], until), await elsewhere.add(IDS[0], until)]).toEqual([false, false]);
      expect(await elsewhere.add(IDS[1], until)).toBe(true);
    });

    test('accepts one of ten at once', async ({ here, elsewhere, now }) => {
      const until = now() + LIFETIME_MS;
      const calls = Array.from({ length: 10 }, async (_, at) => (at % 2 === 0 ? here : elsewhere).add(IDS[0], until));
      expect((await Promise.all(calls)).filter(Boolean).length).toBe(1);
    });

    test('forgets an id after its time, and not before that of another one', async ({ here, now }) => {
      expect(await here.add(IDS[0], now() - 1)).toBe(true);
      expect(await here.add(IDS[1], now() + LIFETIME_MS)).toBe(true);
      expect(await here.add(IDS[0], now() + LIFETIME_MS)).toBe(true);
      expect(await here.add(IDS[1], now() + LIFETIME_MS)).toBe(false);
    });
  });
}
