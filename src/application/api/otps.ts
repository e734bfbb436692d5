import type { Shape } from '../../domain/shape.ts';
import { AUTHENTICATED, type AuthenticationReply } from './sessions.ts';
import { endpoint } from './endpoint.ts';

/** The reply after sending a passcode. */
export interface SentPasscode {
  /** Identifies the passcode in `otps.authenticate`. */
  readonly method_id: string;
}

const RISK_FIELDS = { captcha_token: 'string?', dfp_telemetry_id: 'string?' } as const satisfies Shape;

const EMAIL_FIELDS = {
  email: 'string',
  expiration_minutes: 'number?',
  login_template_id: 'string?',
  signup_template_id: 'string?',
  locale: 'string?',
  ...RISK_FIELDS,
} as const satisfies Shape;

const WHATSAPP_FIELDS = {
  phone_number: 'string',
  expiration_minutes: 'number?',
  locale: 'string?',
  ...RISK_FIELDS,
} as const satisfies Shape;

const SMS_FIELDS = {
  ...WHATSAPP_FIELDS,
  enable_autofill: 'boolean?',
  autofill_session_duration_minutes: 'number?',
} as const satisfies Shape;

/**
 * One-time passcodes of six digits. `…LoginOrCreate` logs in an existing user or signs up a new one; `…SendPrimary` sends only to
 * an existing user; `…SendSecondary` adds the address or number to the signed-in user.
 */
export const otps = {
  emailLoginOrCreate: endpoint<SentPasscode>()({
    name: 'otps.emailLoginOrCreate',
    method: 'POST',
    path: '/otps/email/login_or_create',
    body: EMAIL_FIELDS,
  }),
  emailSendPrimary: endpoint<SentPasscode>()({
    name: 'otps.emailSendPrimary',
    method: 'POST',
    path: '/otps/email/send/primary',
    body: EMAIL_FIELDS,
  }),
  emailSendSecondary: endpoint<SentPasscode>()({
    name: 'otps.emailSendSecondary',
    method: 'POST',
    path: '/otps/email/send/secondary',
    body: EMAIL_FIELDS,
  }),
  smsLoginOrCreate: endpoint<SentPasscode>()({
    name: 'otps.smsLoginOrCreate',
    method: 'POST',
    path: '/otps/sms/login_or_create',
    body: SMS_FIELDS,
  }),
  smsSendPrimary: endpoint<SentPasscode>()({
    name: 'otps.smsSendPrimary',
    method: 'POST',
    path: '/otps/sms/send/primary',
    body: SMS_FIELDS,
  }),
  smsSendSecondary: endpoint<SentPasscode>()({
    name: 'otps.smsSendSecondary',
    method: 'POST',
    path: '/otps/sms/send/secondary',
    body: SMS_FIELDS,
  }),
  whatsappLoginOrCreate: endpoint<SentPasscode>()({
    name: 'otps.whatsappLoginOrCreate',
    method: 'POST',
    path: '/otps/whatsapp/login_or_create',
    body: WHATSAPP_FIELDS,
  }),
  whatsappSendPrimary: endpoint<SentPasscode>()({
    name: 'otps.whatsappSendPrimary',
    method: 'POST',
    path: '/otps/whatsapp/send/primary',
    body: WHATSAPP_FIELDS,
  }),
  whatsappSendSecondary: endpoint<SentPasscode>()({
    name: 'otps.whatsappSendSecondary',
    method: 'POST',
    path: '/otps/whatsapp/send/secondary',
    body: WHATSAPP_FIELDS,
  }),
  authenticate: endpoint<AuthenticationReply & { readonly method_id: string }>()({
    name: 'otps.authenticate',
    method: 'POST',
    path: '/otps/authenticate',
    body: { token: 'string', method_id: 'string', session_duration_minutes: 'number', ...RISK_FIELDS },
    reply: AUTHENTICATED,
  }),
};
