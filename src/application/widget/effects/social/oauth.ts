import { EMPTY, filter, map, merge, mergeMap, Observable, switchMap } from 'rxjs';
import { toAuthError } from '#domain/thrown.ts';
import type { Outcome } from '#domain/screens/event.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import type { LoginConfig, OAuthProviderOptions } from '#domain/widget/widget-config.ts';
import type { ClockPort } from '../../../ports/index.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { lastAct, ofType, whenReady } from '../attempt.ts';
import { lastMethodEffect } from '../sessions/last-method.ts';
import { oauthDeclinedEffect } from './oauth-declined.ts';
import { oneTapEffect } from './one-tap.ts';

/** If the page is still open after this time, the navigation has failed. */
const LEFT_WITHIN_MS = 15_000;

/** The redirect URLs and the provider's own options under the wire's names (specification, section 7). */
function startOptions({ oauthOptions }: LoginConfig, { custom_scopes, provider_params }: OAuthProviderOptions) {
  return {
    login_redirect_url: oauthOptions?.loginRedirectURL,
    signup_redirect_url: oauthOptions?.signupRedirectURL,
    custom_scopes,
    provider_params,
  };
}

/**
 * Navigates to the page of the chosen provider. The chosen button stays pending, and everything else waits. If the user has
 * started another action meanwhile, the page stays.
 */
function leaveEffect({ oauth, lastMethod }: Services<'oauth' | 'lastMethod'>, config: () => LoginConfig): Effect {
  return (context) =>
    ofType(context.events$, 'oauth/chosen').pipe(
      mergeMap((intent) => {
        const isWanted = lastAct(context);
        return whenReady(async (): Promise<readonly Outcome[]> => {
          try {
            const provider = config().oauthOptions?.providers[intent.index];
            if (provider === undefined) return [{ type: 'page/returned' }];
            if (config().rememberLastMethod !== false) lastMethod.leaveBy(`oauth:${provider.type}`);
            await oauth.leave(provider.type, startOptions(config(), provider), isWanted);
            return [];
          } catch (error) {
            return isWanted() ? [{ type: 'failed', asked: intent, error: toAuthError(error) }] : [];
          }
        });
      }),
      mergeMap((outcomes) => outcomes),
    );
}

const isLeaving = ({ pending, oneTap }: WidgetState): boolean =>
  pending === 'oauth/chosen' || oneTap.status === 'leaving';

const after = (clock: ClockPort, ms: number): Observable<void> =>
  new Observable((subscriber) => clock.after(ms, () => subscriber.next()));

/** Detects that the page is still open: it came back from the back-forward cache, or the navigation was stopped. */
function returnEffect({ browser, clock }: Services<'browser' | 'clock'>): Effect {
  return ({ events$, getState }) => {
    const tooLong$ = events$.pipe(
      filter(({ type }) => type === 'oauth/chosen' || type === 'oneTap/changed'),
      switchMap(() => (isLeaving(getState()) ? after(clock, LEFT_WITHIN_MS) : EMPTY)),
    );
    return merge(browser.wakes$, tooLong$).pipe(
      filter(() => isLeaving(getState())),
      map(() => ({ type: 'page/returned' })),
    );
  };
}

export function oauthEffects(
  services: Services<'browser' | 'clock' | 'keys' | 'lastMethod' | 'oauth' | 'oneTapLogin' | 'sessions'>,
  config: () => LoginConfig,
): readonly Effect[] {
  return [
    leaveEffect(services, config),
    returnEffect(services),
    oauthDeclinedEffect(services),
    oneTapEffect(services, config),
    lastMethodEffect(services, config),
  ];
}
