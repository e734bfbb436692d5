import { from, of } from 'rxjs';
import { parseOAuthAuthorizeParams } from '../../../../domain/consent/oauth-params.ts';
import { failure } from '../../../../domain/screens/consent-flow.ts';
import { AuthorizationFlow, type AuthorizationServices } from '../../../use-cases/consent/authorization-flow.ts';
import type { IdentityProviderOptions } from '../../consent-options.ts';
import type { Effect } from '../../widget-store.ts';
import { consentFactorEffects } from './consent-factor.ts';
import type { FactorServices } from '../sessions/factor-requests.ts';
import { deviceEffect } from './device.ts';
import { logoutEffect } from '../sessions/logout.ts';

/**
 * The flow that the page's query requests: a logout if there is a post-logout redirect, a device if there is a `user_code` (it may be
 * empty), else the authorization of an app
 * (specification, section 2). In a frame the user is not asked, unless the host allows it.
 */
export function consentEffects(
  services: AuthorizationServices & FactorServices,
  options: () => IdentityProviderOptions,
): readonly Effect[] {
  if (services.browser.isFramed && options().allowFraming !== true) {
    return [() => of({ type: 'consent/changed', consent: { status: 'framed' } })];
  }
  const query = new URL(services.browser.href()).searchParams;
  if (query.has('post_logout_redirect_uri')) return [logoutEffect(services, query)];
  const factors = consentFactorEffects(services, () => options().config);
  const userCode = query.get('user_code');
  if (userCode !== null) return [deviceEffect(services, options, userCode), ...factors];
  return [authorizeEffect(services, options, query), ...factors];
}

function authorizeEffect(
  services: AuthorizationServices,
  options: () => IdentityProviderOptions,
  query: URLSearchParams,
): Effect {
  const { error, result: params } = parseOAuthAuthorizeParams(query);
  if (params === null) return () => from(failure(new Error(error), false));
  const given = () => {
    const { config, ...rest } = options();
    return { ...rest, sessionDurationMinutes: config.sessionOptions?.sessionDurationMinutes };
  };
  const flow = new AuthorizationFlow(services, given, params);
  return ({ events$ }) => flow.run(events$);
}
