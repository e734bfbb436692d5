import { checkedApp, expectDescribed } from '#tests/openapi/checked.ts';
import { createApp, type AppOptions } from '#provider/operation/app.ts';
import { makeProvider, type Provider } from './harness.ts';

/**
 * A provider whose requests and responses are all compared with the OpenAPI description: `close` rejects if some do not match.
 *
 * @param checksRequests false for requests that tests write by hand, with more fields than a client sends
 */
export async function makeDescribedProvider(
  url?: string,
  options: Partial<AppOptions> = {},
  checksRequests = true,
): Promise<Provider> {
  const provider = await makeProvider(url, options, (services) => checkedApp(createApp(services), checksRequests));
  return {
    ...provider,
    async close() {
      await provider.close();
      expectDescribed();
    },
  };
}
