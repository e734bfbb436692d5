import type { KeysPort, PublishedKey } from '#application/ports/index.ts';
import { rejectionOf, suite, type Disposable, type TestRunner } from './runner.ts';

export interface KeysHarness extends Disposable {
  readonly keys: KeysPort;
  /** What the issuer publishes from now on; null for what is no set of keys. */
  readonly publish: (keys: readonly PublishedKey[] | null) => void;
  /** The set can no longer be read. */
  readonly break: () => void;
}

const key = (kid: string): PublishedKey => ({ kty: 'RSA', kid, n: 'AQAB', e: 'AQAB', alg: 'RS256', use: 'sig' });

/** The contract of KeysPort. */
export function keysContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => KeysHarness | Promise<KeysHarness>,
): void {
  const { expect } = runner;
  suite(runner, `KeysPort: ${name}`, makeHarness, (test) => {
    test('reads the keys in their order, with every field', async ({ keys, publish }) => {
      const set = [key('b'), key('a'), { kty: 'EC', crv: 'P-256', other: ['x'] }];
      publish(set);
      expect(await keys.read()).toEqual(set);
      publish([]);
      expect(await keys.read()).toEqual([]);
    });

    test('reads the set as it is now', async ({ keys, publish }) => {
      publish([key('old')]);
      await keys.read();
      publish([key('new')]);
      expect(await keys.read()).toEqual([key('new')]);
    });

    test('rejects for what is no set of keys', async ({ keys, publish }) => {
      publish(null);
      expect((await rejectionOf(keys.read())) instanceof Error).toBe(true);
    });

    test('rejects while the set cannot be read, and reads it after that', async (harness) => {
      harness.publish([key('a')]);
      await harness.keys.read();
      harness.break();
      expect((await rejectionOf(harness.keys.read())) instanceof Error).toBe(true);
      harness.publish([key('a')]);
      expect(await harness.keys.read()).toEqual([key('a')]);
    });
  });
}
