import type { EventType, HostEvent } from '../widget/host-events.ts';
import type { WidgetEvent } from './event.ts';
import type { ScreenName } from './screen.ts';

const COMPLETE: HostEvent = { type: 'AUTHENTICATE_FLOW_COMPLETE', data: {} };
const ALLOWED: readonly HostEvent[] = [{ type: 'OAUTH_AUTHORIZE_FLOW_COMPLETE', data: {} }];
const DENIED: readonly HostEvent[] = [{ type: 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED', data: {} }];

/** The reply of a login. The login is complete unless the server asks for another factor. */
function verified(
  type: EventType,
  data: { readonly session?: unknown; readonly intermediate_session_token?: unknown },
): readonly HostEvent[] {
  const isComplete = Boolean(data.session) || !data.intermediate_session_token;
  return isComplete ? [{ type, data }, COMPLETE] : [{ type, data }];
}

/** The host events for a widget event, in order. `screen` is the screen after the event. */
export function hostEvents(event: WidgetEvent, screen: ScreenName): readonly HostEvent[] {
  switch (event.type) {
    case 'magicLink/sent':
      return [{ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { ...event.reply, email: event.email } }];
    case 'otp/sent':
    case 'otp/resent':
      return [{ type: 'OTP_LOGIN_OR_CREATE', data: event.reply }];
    case 'otp/verified':
      return verified('OTP_AUTHENTICATE', event.reply);
    case 'password/passwordlessSent':
      return event.message.kind === 'link'
        ? [{ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { ...event.reply, email: event.email } }]
        : [{ type: 'OTP_LOGIN_OR_CREATE', data: event.reply }];
    case 'password/resetMailed':
    case 'password/resent':
      return [{ type: 'PASSWORD_RESET_BY_EMAIL_START', data: event.reply }];
    case 'password/created':
      return verified('PASSWORD_CREATE', event.reply);
    case 'password/loggedIn':
      return verified('PASSWORD_AUTHENTICATE', event.reply);
    case 'password/reset':
      return verified('PASSWORD_RESET_BY_EMAIL', event.reply);
    case 'resetLink/verified':
      return [COMPLETE];
    case 'wallet/connected':
      return [{ type: 'CRYPTO_WALLET_AUTHENTICATE_START', data: event.reply }];
    case 'wallet/verified':
      return verified('CRYPTO_WALLET_AUTHENTICATE', event.reply);
    case 'passkey/verified':
      return verified('PASSKEY_AUTHENTICATE', event.reply);
    case 'passkey/registered':
      return [{ type: 'PASSKEY_REGISTER', data: event.reply }];
    case 'passkey/skipped':
      return [{ type: 'PASSKEY_SKIP', data: {} }];
    case 'passkey/done':
      return [{ type: 'PASSKEY_DONE', data: {} }];
    case 'consent/started': {
      const { client_id, redirect_uri, scope } = event;
      return [{ type: 'OAUTH_AUTHORIZE_FLOW_START', data: { client_id, redirect_uri, scope } }];
    }
    case 'account/done':
      return [{ type: 'ACCOUNT_CHANGED', data: { change: event.change } }];
    case 'consent/decided':
      return event.granted ? ALLOWED : DENIED;
    case 'consent/completed':
      return ALLOWED;
    case 'consent/refused':
      return DENIED;
    case 'session/appeared':
      return screen === 'AuthenticateFlowComplete' ? [COMPLETE] : [];
    default:
      return [];
  }
}
