import { EMPTY, merge, Observable, switchMap } from 'rxjs';
import { isTestToken } from '#domain/project/endpoints.ts';
import { SDKAPIError, type AuthError } from '#domain/errors.ts';
import { oneTapFault, type OneTapState } from '#domain/social/one-tap.ts';
import type { EventOf, Outcome } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect, EffectContext } from '../../widget-store.ts';
import { lastAct, ofType } from '../attempt.ts';

const changed = (oneTap: OneTapState): Outcome => ({ type: 'oneTap/changed', oneTap });

/** The error that is reported to the host: a mistake in the configuration, or a cancellation. Null for other reasons. */
function faultError(reason: string): AuthError | null {
  if (oneTapFault(reason) === null) return null;
  const what = reason === 'user_cancel' ? 'was cancelled' : 'cannot be shown';
  const error_message = `Google One Tap ${what}: ${reason}.`;
  return new SDKAPIError({ status_code: 400, error_type: reason, error_message, error_url: '' });
}

/**
 * Shows Google's prompt while its placeholder is rendered, and removes both together (specification, section 4). When the
 * prompt does not appear, the plain button is shown; a blocked script is not an error.
 */
export function oneTapEffect(
  { keys, lastMethod, oneTapLogin }: Services<'keys' | 'lastMethod' | 'oneTapLogin'>,
  config: () => LoginConfig,
): Effect {
  const explained = (reason: string) => (isTestToken(keys.publicToken) ? oneTapFault(reason) : null);

  const prompt = (context: EffectContext, intent: EventOf<'oneTap/requested'>): Observable<Outcome> =>
    new Observable((subscriber) => {
      let hide = (): void => undefined;
      const report = (error: AuthError | null): void => {
        if (error !== null) subscriber.next({ type: 'reported', error });
      };
      const show = async (): Promise<void> => {
        // A placeholder that is removed and restored at once, as by StrictMode, requests one prompt.
        await Promise.resolve();
        const { oauthOptions, rememberLastMethod } = config();
        const provider = oauthOptions?.providers[intent.index];
        if (subscriber.closed || provider === undefined) return;
        hide = () => oneTapLogin.hide();
        const outcome = await oneTapLogin.show({
          position: provider.position ?? 'embedded',
          parentId: intent.parentId,
          login_redirect_url: oauthOptions?.loginRedirectURL,
          signup_redirect_url: oauthOptions?.signupRedirectURL,
          cancel_on_tap_outside: provider.cancel_on_tap_outside,
          onOneTapCancelled: () => {
            report(faultError('user_cancel'));
            subscriber.next(changed({ status: 'cancelled' }));
          },
          onFloating: () => subscriber.next(changed({ status: 'pending', floats: true })),
          onChosen: () => {
            if (rememberLastMethod !== false) lastMethod.leaveBy('oauth:google');
            subscriber.next(changed({ status: 'leaving' }));
            return lastAct(context);
          },
          onFailed: (error) => {
            subscriber.next({ type: 'failed', asked: intent, error });
            const fault = error.kind === 'api' ? explained(error.error_type) : null;
            subscriber.next(changed({ status: 'refused', fault }));
          },
        });
        if (outcome.place !== null) {
          subscriber.next(changed({ status: 'rendered', place: outcome.place }));
          return;
        }
        report(outcome.error ?? faultError(outcome.reason));
        subscriber.next(changed({ status: 'refused', fault: explained(outcome.reason) }));
      };
      show().catch(() => subscriber.next(changed({ status: 'refused', fault: null })));
      return () => hide();
    });

  return (context) =>
    merge(ofType(context.events$, 'oneTap/requested'), ofType(context.events$, 'oneTap/removed')).pipe(
      switchMap((event) => (event.type === 'oneTap/requested' ? prompt(context, event) : EMPTY)),
    );
}
