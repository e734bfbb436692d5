import type { WidgetEvent } from './screens/event.ts';
import type { ScreenName } from './screens/screen.ts';

/** What `callbacks.onEvent` can be told (public names; the specification's section 9 speaks of about fifty). */
export const EventType = {
  MagicLinkLoginOrCreate: 'MAGIC_LINK_LOGIN_OR_CREATE',
  OTPLoginOrCreate: 'OTP_LOGIN_OR_CREATE',
  OTPAuthenticate: 'OTP_AUTHENTICATE',
  PasswordCreate: 'PASSWORD_CREATE',
  PasswordAuthenticate: 'PASSWORD_AUTHENTICATE',
  PasswordResetByEmailStart: 'PASSWORD_RESET_BY_EMAIL_START',
  PasswordResetByEmail: 'PASSWORD_RESET_BY_EMAIL',
  AuthenticateFlowComplete: 'AUTHENTICATE_FLOW_COMPLETE',
} as const;
export type EventType = (typeof EventType)[keyof typeof EventType];

/** `data` is the reply of the call behind the event. */
export interface HostEvent {
  readonly type: EventType;
  readonly data: object;
}

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
    case 'session/appeared':
      return screen === 'AuthenticateFlowComplete' ? [COMPLETE] : [];
    default:
      return [];
  }
}
