import {
  accountOf,
  clientNameOf,
  defaultLists,
  destinationOf,
  isStandard,
  listsFrom,
  THE_APP,
  type Consent,
  type ConsentList,
  type DescribedScope,
  type ScopeVerdict,
} from '../../../domain/consent.ts';
import type { OAuthAuthorizeParams } from '../../../domain/oauth-params.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { LogPort } from '../../ports/index.ts';
import type { IdentityProviderOptions } from '../consent-options.ts';

type MakeManifest = IdentityProviderOptions['getIDPConsentManifest'];

/** What is asked for in the host's own words, where it has some that can be shown; else in ours. */
function lists(
  scopes: readonly DescribedScope[],
  clientName: string,
  make: MakeManifest,
  log: LogPort,
): readonly ConsentList[] {
  if (make === undefined) return defaultLists(scopes);
  try {
    const made = listsFrom(make({ scopes, clientName }));
    if (made !== null) return made;
    log.error('getIDPConsentManifest returned no manifest: the default one is shown.');
  } catch (error) {
    log.error('getIDPConsentManifest threw: the default one is shown.', error);
  }
  return defaultLists(scopes);
}

/** The consent page for what an app asks for (specification, section 2). */
export function consentPage(
  { scopes, redirect_uri }: OAuthAuthorizeParams,
  client: unknown,
  user: unknown,
  { grantable, ungrantable }: ScopeVerdict,
  make: MakeManifest,
  log: LogPort,
): Consent {
  const clientName = clientNameOf(client, redirect_uri);
  const logo = isRecord(client) ? client['client_logo_url'] : null;
  return {
    status: 'consentRequired',
    clientName,
    logoUrl: typeof logo === 'string' ? logo : null,
    account: accountOf(user),
    ...destinationOf(redirect_uri),
    standardOnly: scopes.every(isStandard),
    lists: grantable.length === 0 ? [] : lists(grantable, clientName ?? THE_APP, make, log),
    ungrantable: ungrantable.map(({ description }) => description),
    canAllow: grantable.length > 0,
  };
}
