import { concat, filter, ignoreElements, map, merge, takeUntil, tap, type Observable } from 'rxjs';
import { isAuthError } from '#domain/errors.ts';
import { hasDeclined, mayOfferPasskey, mayUpgrade, withDeclined } from '#domain/passkeys/passkey-offer.ts';
import type { Outcome, WidgetEvent } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType, whenReady } from '../attempt.ts';
import { creationEffect } from './passkey-registration.ts';

/** The outcomes of a password login. The last one does not contain the first factor. */
const WITH_PASSWORD: ReadonlySet<WidgetEvent['type']> = new Set([
  'password/created',
  'password/loggedIn',
  'password/reset',
  'factor/verified',
]);
/** How long an offer waits for the automatically created passkey. */
const OFFER_WAITS_MS = 2_000;
/** After this time that registration is aborted, because a page can have only one ceremony. */
const UPGRADE_MS = 30_000;

/**
 * If the host enables it, automatically adds a passkey after a password login, without asking the user or showing a refusal. Then, if the
 * host enables that, it offers once to create a passkey: if the user has none, this device can store one, and the user has not said 'Not
 * now' here within the last 90 days. The login's own events came before; the session exists already.
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
  login: WidgetEvent['type'],
): Effect {
  const key = keys.storage('no_passkey_offer');

  /** The user who gets the offer. */
  let person: string | null = null;

  const suits = async (): Promise<boolean> => {
    const { user, session } = sessions.state();
    if (config().passkeyOptions?.offerAfterLogin !== true) return false;
    if (user === null || !mayOfferPasskey(user, session)) return false;
    if (hasDeclined(storage.get(key), user.user_id, clock.now())) return false;
    person = user.user_id;
    return (await passkeys.creation()) === 'here' && sessions.state().user?.user_id === person;
  };

  /** Resolves with the outcome of an added passkey, else with null. It continues without the widget. */
  const upgrade = async (): Promise<Outcome | null> => {
    const { user, session } = sessions.state();
    if (config().passkeyOptions?.upgradeAfterLogin !== true || !WITH_PASSWORD.has(login)) return null;
    if (user === null || !mayUpgrade(user, session)) return null;
    const abort = new AbortController();
    const stop = clock.after(UPGRADE_MS, () => abort.abort());
    try {
      const reply = await passkeys.register({ conditional_mediation: true, signal: abort.signal });
      return { type: 'passkey/registered', reply };
    } catch (error) {
      // A refusal by the browser or the password manager does not concern the person.
      if (isAuthError(error)) log.warn(`No passkey was added after the login. ${String(error)}`);
      return null;
    } finally {
      stop();
    }
  };

  const decline = (): void => {
    if (person !== null) storage.set(key, withDeclined(storage.get(key), person, clock.now()));
  };

  return ({ events$, getState, ...context }) => {
    const isOffered = (): boolean => getState().screen.name === 'PasskeyOffer';
    const upgraded = upgrade();
    const upgrade$ = whenReady(
      () => upgraded,
      (outcome) => outcome && context.late(outcome),
    ).pipe(filter((outcome) => outcome !== null));
    const waited = new Promise<void>((resolve) => {
      const stop = clock.after(OFFER_WAITS_MS, resolve);
      void upgraded.then(stop).then(resolve);
    });
    const offer$: Observable<Outcome> = whenReady(() =>
      waited.then(suits).catch((error: unknown) => {
        log.warn(`No passkey is offered. ${String(error)}`);
        return false;
      }),
    ).pipe(
      filter((does) => does),
      map(() => ({ type: 'passkey/offered' })),
    );
    // Meanwhile another tab may create a passkey, or sign in another person, who was not asked.
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
      upgrade$,
      concat(offer$, ended$),
      declined$,
      creationEffect(
        { passkeys },
        config,
        'elsewhere',
      )({ events$, getState, ...context }).pipe(takeUntil(ofType(events$, 'passkey/offerEnded'))),
    );
  };
}
