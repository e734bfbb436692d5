import { concatMap, exhaustMap, from, map, merge, mergeMap, of, startWith, switchMap, type Observable } from 'rxjs';
import { accountOf } from '../../../domain/consent.ts';
import { parseOAuthLogoutParams, type OAuthLogoutParams } from '../../../domain/oauth-params.ts';
import type { Outcome } from '../../../domain/screens/event.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { ofType, whenReady } from './attempt.ts';
import { failedWith, leaveFor, stands } from './consent-outcomes.ts';

/**
 * Logs out for an app (specification, section 4; OpenID Connect RP-Initiated Logout 1.0). Only `consent_required === false`
 * does so unasked, and the browser goes nowhere but to the reply's address.
 */
export function logoutEffect(
  { identityProvider, lifecycle, browser, sessions }: Services,
  query: URLSearchParams,
): Effect {
  const { error, result: params } = parseOAuthLogoutParams(query);
  if (params === null) return () => from(failedWith(new Error(error), false));
  let target: unknown = null;

  const leave = (): Observable<Outcome> =>
    whenReady(() => lifecycle.revoke(true).catch(() => undefined)).pipe(
      mergeMap(() =>
        typeof target === 'string' && target !== ''
          ? leaveFor(browser, target, { status: 'loggedOut' })
          : of(stands({ status: 'loggedOut' })),
      ),
    );

  const begin = (asked: OAuthLogoutParams): Observable<Outcome> =>
    whenReady(async () => {
      try {
        const reply = await identityProvider.logoutStart(asked);
        target = reply.redirect_uri;
        const mustAsk: unknown = reply.consent_required;
        const account = accountOf(sessions.state().user);
        return mustAsk === false ? leave() : of(stands({ status: 'confirmLogout', account }));
      } catch (thrown) {
        return from(failedWith(thrown, true));
      }
    }).pipe(concatMap((next) => next));

  return ({ events$ }) =>
    merge(
      ofType(events$, 'consent/retried').pipe(
        startWith(null),
        switchMap(() => begin(params).pipe(startWith(stands({ status: 'loading' })))),
      ),
      ofType(events$, 'logout/confirmed').pipe(exhaustMap(leave)),
      ofType(events$, 'logout/refused').pipe(map(() => stands({ status: 'notLoggedOut' }))),
    );
}
