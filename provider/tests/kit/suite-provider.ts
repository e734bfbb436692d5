import { afterAll, beforeAll } from 'vitest';
import { makeProvider, type Provider } from './harness.ts';

/**
 * The provider of a suite: made before its first test, and closed after the last one. Only hooks and tests may use it.
 *
 * @param args as of `makeProvider`
 */
export function suiteProvider(...args: Parameters<typeof makeProvider>): Provider {
  let provider: Provider | undefined;
  beforeAll(async () => {
    provider = await makeProvider(...args);
  });
  afterAll(async () => provider?.close());
  return new Proxy({} as Provider, {
    get: (_, name) => {
      if (provider === undefined) throw new Error('The provider of a suite is made before its first test.');
      return Reflect.get(provider, name) as unknown;
    },
  });
}
