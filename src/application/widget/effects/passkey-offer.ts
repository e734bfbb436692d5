import { concat, filter, ignoreElements, map, merge, tap, type Observable } from 'rxjs';
import { hasDeclined, mayOfferPasskey, withDeclined } from '../../../domain/passkey-offer.ts';
import type { Outcome } from '../../../domain/screens/event.ts';
import type { LoginConfig } from '../../../domain/widget-config.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { ofType, whenReady } from './attempt.ts';
import { creationEffect } from './passkey-registration.ts';

/**
 * Offers to create a passkey after a login, once: when the user has none, when this device can keep one, and when the user has
 * not said 'Not now' here within the last 90 days. The login's own events came before; the session exists already.
 */
export function passkeyOfferEffect(services: Services, config: () => LoginConfig): Effect {
  const { sessions, storage, keys, clock, passkeys, log } = services;
  const key = keys.storage('no_passkey_offer');

  const suits = async (): Promise<boolean> => {
    const { user, session } = sessions.state();
    if (user === null || !mayOfferPasskey(user, session)) return false;
    if (hasDeclined(storage.get(key), user.user_id, clock.now())) return false;
    return (await passkeys.creation()) === 'here' && sessions.state().user?.user_id === user.user_id;
  };

  const decline = (): void => {
    const { user } = sessions.state();
    if (user !== null) storage.set(key, withDeclined(storage.get(key), user.user_id, clock.now()));
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
    // A passkey that another tab has created meanwhile is enough.
    const ended$: Observable<Outcome> = sessions.user$.pipe(
      filter((user) => isOffered() && getState().pending === null && Boolean(user?.webauthn_registrations?.length)),
      map(() => ({ type: 'passkey/offerEnded' })),
    );
    const declined$ = ofType(events$, 'passkey/skipped').pipe(tap(decline), ignoreElements());
    return merge(
      concat(offer$, ended$),
      declined$,
      creationEffect(services, config)({ events$, getState, ...context }),
    );
  };
}
