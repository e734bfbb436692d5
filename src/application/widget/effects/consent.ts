import { of } from 'rxjs';
import type { IdentityProviderOptions } from '../consent-options.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { authorizeEffect } from './authorize.ts';
import { logoutEffect } from './logout.ts';

/**
 * What the page's query asks for: with a post-logout redirect a logout, else the authorization of an app
 * (specification, section 2). In a frame nothing is asked, unless the host allows it.
 */
export function consentEffects(services: Services, options: () => IdentityProviderOptions): readonly Effect[] {
  if (services.browser.isFramed && options().allowFraming !== true) {
    return [() => of({ type: 'consent/changed', consent: { status: 'framed' } })];
  }
  const query = new URL(services.browser.href()).searchParams;
  return [
    query.has('post_logout_redirect_uri') ? logoutEffect(services, query) : authorizeEffect(services, options, query),
  ];
}
