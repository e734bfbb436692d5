import { checkedApp, expectDescribed } from '#tests/openapi/checked.ts';
import type { RequestCheck } from '#tests/openapi/description-check.ts';
import { createApp, type AppOptions } from '#provider/operation/app.ts';
import { makeProvider, type Provider } from './harness.ts';

/** A provider whose requests and responses are all compared with the OpenAPI description: `close` rejects if some do not match. */
export async function makeDescribedProvider(
  url?: string,
  options: Partial<AppOptions> = {},
  requests: RequestCheck = 'closed',
): Promise<Provider> {
  const provider = await makeProvider(url, options, (services) => checkedApp(createApp(services), requests));
  return {
    ...provider,
    async close() {
      await provider.close();
      expectDescribed();
    },
  };
}
