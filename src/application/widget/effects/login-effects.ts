import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { WidgetEvent } from '#domain/screens/event.ts';
import type { LateServices, StartServices } from '../../services.ts';
import type { ResetOptions, WidgetOptions } from '../widget-options.ts';
import type { Effect } from '../widget-store.ts';
import { afterLoginEffect } from './sessions/after-login.ts';
import { lackingFactorEffect, twoStep } from './sessions/lacking-factor.ts';
import { otherLoginEffect } from './sessions/other-login.ts';
import { keepStepEffect } from './keep-step.ts';
import { magicLinkEffect } from './links/magic-link.ts';
import { oauthEffects } from './social/oauth.ts';
import { otpEffects } from './passcodes/otp.ts';
import { passkeyLoginEffects } from './passkeys/passkey-login.ts';
import { passwordEffects } from './passwords/password.ts';
import { phoneEffects } from './passcodes/phone.ts';
import { resetEffects } from './passwords/reset.ts';
import { sendAgainEffect } from './send-again.ts';
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
