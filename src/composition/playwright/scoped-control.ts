import type { BrowserContext } from '@playwright/test';
import { SCOPE_HEADER } from '#application/dev-control/dev-control.ts';
import { controlOf, type ProviderControl } from '../control/provider-control.ts';

/**
 * The control of a provider whose time and faults apply to the requests of one browser context. Its requests get a header for that.
 *
 * @param headers the other headers that every request of the context has
 */
export async function scopedControl(
  context: BrowserContext,
  apiUrl: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ProviderControl> {
  const scope = `test-${crypto.randomUUID()}`;
  await context.setExtraHTTPHeaders({ ...headers, [SCOPE_HEADER]: scope });
  return controlOf(apiUrl, { scope });
}
