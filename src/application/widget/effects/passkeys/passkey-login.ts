import { EMPTY, filter, finalize, mergeMap, switchMap, takeUntil, type Observable } from 'rxjs';
import { codeLoad } from '#domain/code-loads.ts';
import { passkeyError, passkeyFailure } from '#domain/passkeys/passkey.ts';
import type { PasskeyNote } from '#domain/screens/passkey-event.ts';
import type { Outcome, WidgetEvent } from '#domain/screens/event.ts';
import { mainLayout, passkeyEntry } from '#domain/screens/main-layout.ts';
import { isRecord } from '#domain/shape.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { attempt, ofType, working } from '../attempt.ts';

/** Specification, section 9. */
const AUTOFILL_ATTEMPTS = 5;
/** The delay before the second try; it doubles before each further try. */
const FIRST_PAUSE_MS = 1_000;
/** An offer that ends after this time counts as expired rather than failed. */
const LASTING_MS = 60_000;

const CHOSEN = { type: 'passkey/chosen' } as const;
const USED: Outcome = { type: 'passkey/used' };

/** The options of every ceremony of a login. */
const optionsFrom = (config: LoginConfig) => ({
  is_passkey: true,
  session_duration_minutes: sessionMinutes(config),
  extensions: config.passkeyOptions?.extensions,
});

type OutcomeCallback = (outcome: Outcome) => void;
const isAbort = (error: unknown): boolean => isRecord(error) && error['name'] === 'AbortError';

/**
 * If the user or another ceremony ended a ceremony, no error is shown; a cancellation is reported to the host. The link, which shows before
 * a passkey is known to exist, explains a failure with a message; the button does not.
 */
function tellFailed(tell: OutcomeCallback, error: unknown, isLink = false, note: PasskeyNote = 'unused'): void {
  const failure = passkeyFailure(error);
  const isCancelled = failure === 'cancelled';
  if (!isCancelled && !(isLink && failure === 'unsupported')) {
    tell({ type: 'failed', asked: CHOSEN, error: passkeyError(error, 'passkey_login_failed') });
    return;
  }
  const replaced = isAbort(error);
  if (!replaced)
    tell({ type: 'reported', error: passkeyError(error, isCancelled ? 'user_cancel' : 'passkey_login_failed') });
  tell({ type: 'passkey/cancelled', note: !isLink || replaced ? null : isCancelled ? note : 'unsupported' });
}

/**
 * The passkey button or link: the browser asks the user, and the server verifies the result. If the browser supports it, the first press of
 * the link requests only passkeys of this device. A user without one gets a message that mentions other devices, instead of the dialog for
 * those.
 */
function buttonEffect({ passkeys }: Services<'passkeys'>, config: () => LoginConfig): Effect {
  return ({ events$, getState, late }) => {
    let asksHere = true;
    const left$ = events$.pipe(filter(() => getState().screen.name !== 'Main'));
    return ofType(events$, 'passkey/chosen').pipe(
      switchMap(() =>
        working<Outcome>(async (tell, signal) => {
          const isLink = passkeyEntry(config(), mainLayout(config()), getState().passkeyAutofill) === 'link';
          let immediate_mediation = false;
          try {
            immediate_mediation = isLink && asksHere && (await passkeys.isCapable('immediateGet'));
            const reply = await passkeys.authenticate({
              ...optionsFrom(config()),
              immediate_mediation,
              signal,
              onUsed: () => tell(USED),
            });
            tell({ type: 'passkey/verified', reply: reply ?? {} });
          } catch (error) {
            asksHere &&= !immediate_mediation || isAbort(error);
            tellFailed(tell, error, isLink, immediate_mediation ? 'elsewhere' : 'unused');
          }
        }, late).pipe(takeUntil(left$)),
      ),
    );
  };
}

/**
 * Passkeys in the field for an address (WebAuthn Level 3, section 5.1.4): offered while Main is shown and the button's own ceremony is not
 * running. If there is a session, nothing is offered. A failed offer is repeated with increasing delays, at most five times; it is reported
 * to the host, not shown to the user.
 */
function autofillEffect(
  { storage, keys, clock, sessions, passkeys }: Services<'storage' | 'keys' | 'clock' | 'sessions' | 'passkeys'>,
  config: () => LoginConfig,
): Effect {
  let attempts = AUTOFILL_ATTEMPTS;
  /** True when the offer waits because there is a session. */
  let waitsForSession = false;

  let endPause = (): void => undefined;
  /** Waits before another try. Never resolves once the offer has ended. */
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      endPause = clock.after(FIRST_PAUSE_MS * 2 ** (AUTOFILL_ATTEMPTS - 1 - attempts), resolve);
    });

  /** Resolves with whether to repeat the offer. */
  const attempt = async (tell: OutcomeCallback, signal: AbortSignal): Promise<boolean> => {
    let used = false;
    const began = clock.now();
    const onUsed = (): void => {
      used = true;
      tell(USED);
    };
    try {
      const reply = await passkeys.authenticate({
        ...optionsFrom(config()),
        conditional_mediation: true,
        signal,
        onUsed,
      });
      if (reply !== null) tell({ type: 'passkey/verified', reply });
      return false;
    } catch (error) {
      if (signal.aborted) return false;
      attempts = clock.now() - began > LASTING_MS ? AUTOFILL_ATTEMPTS : attempts - 1;
      if (used) tellFailed(tell, error);
      else if (passkeyFailure(error) !== 'cancelled')
        tell({ type: 'reported', error: passkeyError(error, 'passkey_login_failed') });
      // An abort means that other code on this page has begun a ceremony, which must not be interrupted.
      if (used || attempts < 1) return attempts > 0;
      if (isAbort(error)) return false;
      await pause();
      return !signal.aborted;
    }
  };

  const offer = (late: OutcomeCallback): Observable<Outcome> =>
    working<Outcome>(async (tell, signal) => {
      try {
        const supported = await passkeys.supportsAutofill();
        // Remembered, so that Main immediately shows its button in a browser whose fields offer no passkeys.
        storage[supported ? 'remove' : 'set'](keys.storage('no_passkey_autofill'), 'true');
        tell({ type: 'passkey/autofillKnown', supported });
        // Every new field starts with the full number of attempts.
        attempts = AUTOFILL_ATTEMPTS;
        waitsForSession = sessions.state().session !== null;
        let again = supported && !waitsForSession && !signal.aborted;
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        while (again) again = await attempt(tell, signal);
      } catch {
        // The adapter could not be loaded; the next field tries again.
      }
    }, late).pipe(finalize(() => endPause()));

  return ({ events$, getState, late }) => {
    let givenWay = false;
    const decideOffer = (event: WidgetEvent): readonly boolean[] => {
      const begins = event.type === CHOSEN.type || event.type === 'passkey/createRequested';
      if (getState().screen.name !== 'Main' || begins) {
        givenWay = begins;
        return [false];
      }
      // While that ceremony runs, nothing else can fail.
      const over = event.type === 'passkey/cancelled' || event.type === 'failed';
      const signedOut = event.type === 'session/gone' && waitsForSession;
      if (event.type !== 'passkey/autofillReady' && !signedOut && !(over && givenWay)) return [];
      givenWay = false;
      return [true];
    };
    return events$.pipe(
      mergeMap(decideOffer),
      switchMap((isWanted) => (isWanted ? offer(late) : EMPTY)),
    );
  };
}

/** The sign-up with a passkey. Its code is loaded with the first. */
function signUpEffect(services: Services<'passkeys' | 'log'>, config: () => LoginConfig): Effect {
  return ({ events$, late }) =>
    ofType(events$, 'passkey/createRequested').pipe(
      switchMap((intent) =>
        intent.email
          ? attempt(
              events$,
              intent,
              async (tell, signal) => {
                const code = await codeLoad(import('./passkey-sign-up.ts'));
                return code.signUp(services, config(), intent, tell, signal);
              },
              late,
            )
          : EMPTY,
      ),
    );
}

export function passkeyLoginEffects(
  services: Services<'storage' | 'keys' | 'clock' | 'sessions' | 'passkeys' | 'log'>,
  config: () => LoginConfig,
): readonly Effect[] {
  // The offer in the field ends before the button's own ceremony begins, because a page can have only one.
  return [autofillEffect(services, config), buttonEffect(services, config), signUpEffect(services, config)];
}
