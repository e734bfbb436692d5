import { defaultLists, listsFrom, type ConsentList, type DescribedScope } from '#domain/consent/consent.ts';
import { safeReturnPath } from '#domain/consent/return-path.ts';
import { safeUrl } from '#domain/safe-url.ts';
import type { LogPort } from '../../ports/index.ts';
import type { IdentityProviderOptions } from '../../widget/consent-options.ts';

/** The host's page of connected apps. Left out if the URL is not safe to follow. */
export function safeAccountUrl(
  { accountUrl }: Pick<IdentityProviderOptions, 'accountUrl'>,
  log: Pick<LogPort, 'warn'>,
): string | null {
  const address: unknown = accountUrl ?? null;
  if (address === null) return null;
  const path = safeReturnPath(address, '');
  const url = typeof address !== 'string' ? null : path === '' ? safeUrl(address) : path;
  if (url === null) log.warn('accountUrl is ignored: it must be an https address, or a path that begins with /.');
  return url;
}

/** The requested scopes in the host's own words if it gives valid ones, else in ours. */
export function manifestLists(
  { getIDPConsentManifest: make }: Pick<IdentityProviderOptions, 'getIDPConsentManifest'>,
  log: Pick<LogPort, 'error'>,
  scopes: readonly DescribedScope[],
  clientName: string,
): readonly ConsentList[] {
  if (make === undefined) return defaultLists(scopes);
  try {
    const lists = listsFrom(make({ scopes, clientName }));
    if (lists !== null) return lists;
    log.error('getIDPConsentManifest returned no manifest: the default one is shown.');
  } catch (error) {
    log.error('getIDPConsentManifest threw: the default one is shown.', error);
  }
  return defaultLists(scopes);
}
