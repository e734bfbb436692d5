import type { BindingKey, BindingKeysPort } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';

export interface BindingKeysHarness extends Disposable {
  /** One tab's keys, none yet. */
  readonly here: BindingKeysPort;
  /** The same keys in another tab. */
  readonly elsewhere: BindingKeysPort;
  /** Makes the browser refuse to make and store keys from now on. */
  readonly refuse: () => void;
}

const NAMES = ['public-token-test-1', 'public-token-test-2'] as const;

async function isSignedBy({ jwk }: BindingKey, text: string, signature: Uint8Array): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('jwk', { ...jwk }, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']);
  const bytes = new TextEncoder().encode(text);
  return subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, new Uint8Array(signature), bytes);
}

/** The contract of BindingKeysPort. */
export function bindingKeysContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => BindingKeysHarness | Promise<BindingKeysHarness>,
): void {
  const { expect } = runner;
  const jwkOf = (key: BindingKey | null) => key?.jwk ?? null;
  suite(runner, `BindingKeysPort: ${name}`, makeHarness, (test) => {
    test('finds none before one is made', async ({ here }) => {
      expect(await here.find(NAMES[0])).toBe(null);
    });

    test('makes a key once, the same for every tab, and another one for another name', async ({ here, elsewhere }) => {
      const [mine, theirs] = await Promise.all([here.ensure(NAMES[0]), elsewhere.ensure(NAMES[0])]);
      expect(jwkOf(mine)).toEqual(jwkOf(theirs));
      expect(jwkOf(await elsewhere.find(NAMES[0]))).toEqual(jwkOf(mine));
      expect(jwkOf(await here.ensure(NAMES[1]))?.x === jwkOf(mine)?.x).toBe(false);
    });

    test('signs what its public half verifies, also in another tab', async ({ here, elsewhere }) => {
      const mine = await here.ensure(NAMES[0]);
      const theirs = await elsewhere.find(NAMES[0]);
      const signature = await theirs?.sign('a text with ü');
      expect(signature?.length).toBe(64);
      expect(mine && signature && (await isSignedBy(mine, 'a text with ü', signature))).toBe(true);
      expect(mine && signature && (await isSignedBy(mine, 'another text', signature))).toBe(false);
    });

    test('shows of the key only the public half', async ({ here }) => {
      expect(Object.keys(jwkOf(await here.ensure(NAMES[0])) ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    });

    test('removes a key, which stays useful to whoever holds it', async ({ here, elsewhere }) => {
      const key = await here.ensure(NAMES[0]);
      await elsewhere.remove(NAMES[0]);
      expect(await here.find(NAMES[0])).toBe(null);
      expect((await key?.sign('text'))?.length).toBe(64);
      await here.remove(NAMES[1]);
    });

    test('keeps a key again where there is none, and never instead of another one', async ({ here, elsewhere }) => {
      const first = await here.ensure(NAMES[0]);
      await elsewhere.remove(NAMES[0]);
      if (first !== null) await here.keep(NAMES[0], first);
      expect(jwkOf(await elsewhere.find(NAMES[0]))).toEqual(jwkOf(first));
      await elsewhere.remove(NAMES[0]);
      const second = await elsewhere.ensure(NAMES[0]);
      if (first !== null) await here.keep(NAMES[0], first);
      expect(jwkOf(await here.find(NAMES[0]))).toEqual(jwkOf(second));
    });

    test('has no key where the browser refuses, and throws nothing', async ({ here, refuse }) => {
      const key = await here.ensure(NAMES[0]);
      refuse();
      expect(await here.find(NAMES[1])).toBe(null);
      expect(await here.ensure(NAMES[1])).toBe(null);
      if (key !== null) await here.keep(NAMES[1], key);
      await here.remove(NAMES[0]);
    });
  });
}
