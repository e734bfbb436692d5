import { EMPTY, of } from 'rxjs';
import { OAUTH_PROVIDERS, type OAuthProvider } from '../../../domain/oauth-providers.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';

/** What the way back from a provider says (RFC 6749, section 4.1.2.1), with the provider's name as the wire has it. */
const PARAMETERS = ['error', 'error_description', 'provider_type'] as const;

/** The provider at which the login was denied, or null. An answer to the page's own OAuth flows names none of ours. */
function declinedAt({ searchParams }: URL): OAuthProvider | null {
  const provider = searchParams.get('provider_type');
  const isDeclined = searchParams.get('error') === 'access_denied';
  return isDeclined && provider !== null && Object.hasOwn(OAUTH_PROVIDERS, provider)
    ? (provider as OAuthProvider)
    : null;
}

/**
 * Says once that the login was denied at the provider, and takes that out of the address. The words are ours, whatever the
 * query says.
 */
export function oauthDeclinedEffect({ browser, lastMethod }: Services): Effect {
  return () => {
    const url = new URL(browser.href());
    const provider = declinedAt(url);
    if (provider === null) return EMPTY;
    for (const name of PARAMETERS) url.searchParams.delete(name);
    browser.replaceUrl(url.href);
    lastMethod.stay();
    return of({ type: 'oauth/declined', provider });
  };
}
