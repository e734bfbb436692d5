import { from, map, NEVER, of } from 'rxjs';
import { parseOAuthAuthorizeParams } from '#domain/consent/oauth-params.ts';
import type { Outcome } from '#domain/screens/event.ts';
import { failure } from '#domain/screens/consent-flow.ts';
import { AuthorizationFlow, type AuthorizationServices } from '../../../use-cases/consent/authorization-flow.ts';
import type { IdentityProviderOptions } from '../../consent-options.ts';
import type { Effect } from '../../widget-store.ts';
import { consentFactorEffects } from './consent-factor.ts';
import type { FactorServices } from '../sessions/factor-requests.ts';
import { deviceEffect } from './device.ts';
import { logoutEffect } from '../sessions/logout.ts';

/**
 * The flow that the page's query requests: a logout if there is a post-logout redirect, a device if there is a `user_code` (even an empty
 * one), else the authorization of an app (specification, section 2). In a frame the user is not asked, unless the host allows it: there
 * only an app that requests no page (`prompt=none`) gets its answer.
 */
export function consentEffects(
  services: AuthorizationServices & FactorServices,
  options: () => IdentityProviderOptions,
): readonly Effect[] {
  const query = new URL(services.browser.href()).searchParams;
  const isLogout = query.has('post_logout_redirect_uri');
  const userCode = query.get('user_code');
  if (services.browser.isFramed && options().allowFraming !== true) {
    const isSilent = query.get('prompt') === 'none' && !isLogout && userCode === null;
    return [isSilent ? withoutPage(authorizeEffect(services, options, query)) : () => of(FRAMED)];
  }
  if (isLogout) return [logoutEffect(services, query)];
  const factors = consentFactorEffects(services, () => options().config);
  if (userCode !== null) return [deviceEffect(services, options, userCode), ...factors];
  return [authorizeEffect(services, options, query), ...factors];
}

const FRAMED: Outcome = { type: 'consent/changed', consent: { status: 'framed' } };

/** The effect without anything to see or press, because anybody can put `prompt=none` into the URL of a request that asks the user. */
const withoutPage =
  (effect: Effect): Effect =>
  (io) =>
    effect({ ...io, events$: NEVER }).pipe(
      map((outcome) => (outcome.type === 'consent/changed' && outcome.consent.status !== 'loading' ? FRAMED : outcome)),
    );

function authorizeEffect(
  services: AuthorizationServices,
  options: () => IdentityProviderOptions,
  query: URLSearchParams,
): Effect {
  const { error, result: params } = parseOAuthAuthorizeParams(query);
  if (params === null) return () => from(failure(new Error(error), false));
  const readOptions = () => {
    const { config, ...rest } = options();
    return { ...rest, sessionDurationMinutes: config.sessionOptions?.sessionDurationMinutes };
  };
  const flow = new AuthorizationFlow(services, readOptions, params);
  return ({ events$ }) => flow.run(events$);
}
