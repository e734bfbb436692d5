import { concat, filter, ignoreElements, map, merge, takeUntil, tap, type Observable } from 'rxjs';
import { hasDeclined, mayOfferPasskey, withDeclined } from '../../../../domain/passkeys/passkey-offer.ts';
import type { Outcome } from '../../../../domain/screens/event.ts';
import type { LoginConfig } from '../../../../domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType, whenReady } from '../attempt.ts';
import { creationEffect } from './passkey-registration.ts';

/**
 * Offers to create a passkey after a login, once: when the user has none, when this device can keep one, and when the user has
 * not said 'Not now' here within the last 90 days. The login's own events came before; the session exists already.
 */
export function passkeyOfferEffect(
  {
    sessions,
    storage,
    keys,
    clock,
    passkeys,
    log,
  }: Services<'sessions' | 'storage' | 'keys' | 'clock' | 'passkeys' | 'log'>,
  config: () => LoginConfig,
): Effect {
  const key = keys.storage('no_passkey_offer');

  /** The user to whom the passkey is offered. */
  let person: string | null = null;

  const suits = async (): Promise<boolean> => {
    const { user, session } = sessions.state();
    if (user === null || !mayOfferPasskey(user, session)) return false;
    if (hasDeclined(storage.get(key), user.user_id, clock.now())) return false;
    person = user.user_id;
    return (await passkeys.creation()) === 'here' && sessions.state().user?.user_id === person;
  };

  const decline = (): void => {
    if (person !== null) storage.set(key, withDeclined(storage.get(key), person, clock.now()));
  };

  return ({ events$, getState, ...context }) => {
    const isOffered = (): boolean => getState().screen.name === 'PasskeyOffer';
    const offer$: Observable<Outcome> = whenReady(() =>
      suits().catch((error: unknown) => {
        log.warn(`No passkey is offered. ${String(error)}`);
        return false;
      }),
    ).pipe(
      filter((does) => does),
      map(() => ({ type: 'passkey/offered' })),
    );
    // Another tab may create a passkey meanwhile, or sign another person in, who was not asked.
    const ended$: Observable<Outcome> = sessions.user$.pipe(
      filter(
        (user) =>
          isOffered() &&
          user !== null &&
          (user.user_id !== person || (getState().pending === null && Boolean(user.webauthn_registrations?.length))),
      ),
      map(() => ({ type: 'passkey/offerEnded' })),
    );
    const declined$ = ofType(events$, 'passkey/skipped').pipe(tap(decline), ignoreElements());
    return merge(
      concat(offer$, ended$),
      declined$,
      creationEffect(
        { passkeys },
        config,
      )({ events$, getState, ...context }).pipe(takeUntil(ofType(events$, 'passkey/offerEnded'))),
    );
  };
}
