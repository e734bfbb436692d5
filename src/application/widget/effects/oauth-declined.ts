import { EMPTY, of } from 'rxjs';
import { OAUTH_PROVIDERS, type DeclinedLogin, type OAuthProvider } from '../../../domain/oauth-providers.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';

/** What the way back from a provider says (RFC 6749, section 4.1.2.1), with the provider's name as the wire has it. */
const PARAMETERS = ['error', 'error_description', 'provider_type'] as const;

/** The login that ended at the provider, or null. An answer to the page's own OAuth flows names no provider of ours. */
function declinedIn({ searchParams }: URL): DeclinedLogin | null {
  const [error, provider] = [searchParams.get('error'), searchParams.get('provider_type')];
  if (!error || provider === null || !Object.hasOwn(OAUTH_PROVIDERS, provider)) return null;
  return { provider: provider as OAuthProvider, reason: error === 'access_denied' ? 'denied' : 'failed' };
}

/**
 * Says once that the login was denied or failed at the provider, and takes that out of the address. The words are ours, whatever
 * the query says.
 */
export function oauthDeclinedEffect({ browser, lastMethod }: Services): Effect {
  return () => {
    const url = new URL(browser.href());
    const declined = declinedIn(url);
    if (declined === null) return EMPTY;
    for (const name of PARAMETERS) url.searchParams.delete(name);
    browser.replaceUrl(url.href);
    lastMethod.stay();
    return of({ type: 'oauth/declined', ...declined });
  };
}
