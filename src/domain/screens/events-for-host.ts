import type { HostEvent } from '../host-events.ts';
import type { WidgetEvent } from './event.ts';
import type { ScreenName } from './screen.ts';

const COMPLETE: HostEvent = { type: 'AUTHENTICATE_FLOW_COMPLETE', data: {} };

/** What the host hears of an event, in order. `screen` is the one that the event led to. */
export function hostEvents(event: WidgetEvent, screen: ScreenName): readonly HostEvent[] {
  switch (event.type) {
    case 'magicLink/sent':
      return [{ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { ...event.reply, email: event.email } }];
    case 'otp/sent':
    case 'otp/resent':
      return [{ type: 'OTP_LOGIN_OR_CREATE', data: event.reply }];
    case 'otp/verified':
      return [{ type: 'OTP_AUTHENTICATE', data: event.reply }, COMPLETE];
    case 'password/passwordlessSent':
      return event.message.kind === 'link'
        ? [{ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { ...event.reply, email: event.email } }]
        : [{ type: 'OTP_LOGIN_OR_CREATE', data: event.reply }];
    case 'password/resetMailed':
    case 'password/resent':
      return [{ type: 'PASSWORD_RESET_BY_EMAIL_START', data: event.reply }];
    case 'password/created':
      return [{ type: 'PASSWORD_CREATE', data: event.reply }, COMPLETE];
    case 'password/loggedIn':
      return [{ type: 'PASSWORD_AUTHENTICATE', data: event.reply }, COMPLETE];
    case 'password/reset':
      return [{ type: 'PASSWORD_RESET_BY_EMAIL', data: event.reply }, COMPLETE];
    case 'resetLink/verified':
      return [COMPLETE];
    case 'wallet/connected':
      return [{ type: 'CRYPTO_WALLET_AUTHENTICATE_START', data: event.reply }];
    case 'wallet/verified':
      return [{ type: 'CRYPTO_WALLET_AUTHENTICATE', data: event.reply }, COMPLETE];
    case 'passkey/verified':
      return [{ type: 'PASSKEY_AUTHENTICATE', data: event.reply }, COMPLETE];
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
    case 'consent/completed':
      return [{ type: 'OAUTH_AUTHORIZE_FLOW_COMPLETE', data: {} }];
    case 'consent/refused':
      return [{ type: 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED', data: {} }];
    case 'session/appeared':
      return screen === 'AuthenticateFlowComplete' ? [COMPLETE] : [];
    default:
      return [];
  }
}
