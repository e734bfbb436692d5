import type { LoginConfig } from '../../../domain/widget-config.ts';
import type { ResetOptions } from '../login-widget.ts';
import type { WidgetOptions, WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';
import { magicLinkEffect } from './magic-link.ts';
import { oauthEffects } from './oauth.ts';
import { otpEffects } from './otp.ts';
import { passkeyLoginEffects } from './passkey-login.ts';
import { passwordEffects } from './password.ts';
import { phoneEffects } from './phone.ts';
import { resetEffects } from './reset.ts';
import { walletEffects } from './wallet.ts';

/** All that a login widget does, one file to a way of logging in. */
export function loginEffects(parts: WidgetParts, options: () => WidgetOptions | ResetOptions): readonly Effect[] {
  const config = (): LoginConfig => options().config;
  const { logins, clock } = parts;
  const at = options();
  return [
    magicLinkEffect(logins, config),
    ...otpEffects(logins, clock, config),
    ...phoneEffects(parts, config),
    ...passwordEffects(parts, config),
    ...oauthEffects(parts, config),
    ...walletEffects(parts, config),
    ...passkeyLoginEffects(parts, config),
    ...('token' in at ? resetEffects(parts, config, at.token) : []),
  ];
}
