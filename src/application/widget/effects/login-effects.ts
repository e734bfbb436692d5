import { filter, map, switchMap, takeUntil } from 'rxjs';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Intent, WidgetEvent } from '#domain/screens/event.ts';
import { isSigningIn } from '#domain/screens/events.ts';
import type { LateServices, Services, StartServices } from '../../services.ts';
import type { ResetOptions, WidgetOptions } from '../widget-options.ts';
import type { Effect } from '../widget-store.ts';
import { ofType } from './attempt.ts';
import { afterLoginEffect } from './sessions/after-login.ts';
import { lackingFactorEffect, twoStep } from './sessions/lacking-factor.ts';
import { keepStepEffect } from './keep-step.ts';
import { magicLinkEffect } from './links/magic-link.ts';
import { oauthEffects } from './social/oauth.ts';
import { otpEffects } from './passcodes/otp.ts';
import { passkeyLoginEffects } from './passkeys/passkey-login.ts';
import { passwordEffects } from './passwords/password.ts';
import { phoneEffects } from './passcodes/phone.ts';
import { resetEffects } from './passwords/reset.ts';
import { unknownNamesEffect } from './unknown-names.ts';
import { walletEffects } from './wallets/wallet.ts';

/** All effects of a login widget, one file per login method. Each lists the services that it uses. */
export function loginEffects(
  services: StartServices & LateServices,
  options: () => WidgetOptions | ResetOptions,
): readonly Effect<WidgetEvent>[] {
  const config = (): LoginConfig => options().config;
  const at = options();
  const logins = [
    magicLinkEffect(services, config),
    ...otpEffects(services, config),
    ...phoneEffects(services, config),
    ...passwordEffects(services, config),
    unknownNamesEffect(services, options),
    ...oauthEffects(services, config),
    ...walletEffects(services, config),
    ...passkeyLoginEffects(services, config),
    ...('token' in at ? resetEffects(services, config, at.token) : []),
  ];
  return [
    keepStepEffect(services, config),
    ...logins.map(twoStep),
    sendAgainEffect(services),
    otherLoginEffect(services),
    lackingFactorEffect(services, config),
    afterLoginEffect(services, config),
  ];
}

/** The other requests open a page or a dialog of the browser, which needs a press. */
const NEEDS_NO_PRESS = /^(?:magicLink|otp|phone|password|resetLink)/u;

/**
 * Repeats a request that failed without a network, once there is one. If the person has acted or has changed what was sent, the request is
 * dropped with its error.
 */
function sendAgainEffect({ browser }: Services<'browser'>): Effect<Intent> {
  return ({ events$, getState }) =>
    ofType(events$, 'failed').pipe(
      filter(
        ({ asked: intent, error }) =>
          'problem' in error && error.problem === 'offline' && NEEDS_NO_PRESS.test(intent.type),
      ),
      switchMap(({ asked: intent, error }) =>
        browser.wakes$.pipe(
          filter(() => browser.isOnline === true),
          map(() => intent),
          takeUntil(events$.pipe(filter(() => getState().error !== error))),
        ),
      ),
    );
}

/**
 * Ends a login whose request failed after another tab or widget had signed the user in, for example with the same code. While the request
 * was pending, the session counted as its own.
 */
function otherLoginEffect({ sessions }: Services<'sessions'>): Effect {
  return ({ events$, getState }) => {
    const isPresent = (): boolean => sessions.state().session !== null;
    let wasPresent = isPresent();
    return events$.pipe(
      filter(({ type }) => {
        const isOver = type === 'failed' && !wasPresent && isPresent();
        if (!isSigningIn(getState())) wasPresent = isPresent();
        return isOver;
      }),
      map(() => ({ type: 'session/appeared' })),
    );
  };
}
