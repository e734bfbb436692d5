import { EMPTY, of } from 'rxjs';
import { OAUTH_PROVIDERS, type DeclinedLogin, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';

/** The parameters of the redirect back from a provider (RFC 6749, section 4.1.2.1), and the wire's name for the provider. */
const PARAMETERS = ['error', 'error_description', 'provider_type'] as const;

/** The login that ended at the provider, or null. A response to an OAuth flow of the page itself does not contain one of our providers. */
function declinedIn({ searchParams }: URL): DeclinedLogin | null {
  const [error, provider] = [searchParams.get('error'), searchParams.get('provider_type')];
  if (!error || provider === null || !Object.hasOwn(OAUTH_PROVIDERS, provider)) return null;
  return { provider: provider as OAuthProvider, reason: error === 'access_denied' ? 'denied' : 'failed' };
}

/**
 * Reports once that the login was denied or failed at the provider, and removes the parameters from the URL. The texts are always ours,
 * never those of the query.
 */
export function oauthDeclinedEffect({ browser, lastMethod }: Services<'browser' | 'lastMethod'>): Effect {
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
