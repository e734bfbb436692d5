import { AUTHENTICATED, type Authenticated } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

export const otps = {
  /** Mails a six-digit passcode; `method_id` names it when it is authenticated. */
  emailLoginOrCreate: endpoint<{ readonly method_id: string }>()({
    name: 'otps.emailLoginOrCreate',
    method: 'POST',
    path: '/otps/email/login_or_create',
    body: {
      email: 'string',
      expiration_minutes: 'number?',
      login_template_id: 'string?',
      signup_template_id: 'string?',
      locale: 'string?',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
    reply: { method_id: 'string' },
  }),
  authenticate: endpoint<Authenticated & { readonly method_id: string }>()({
    name: 'otps.authenticate',
    method: 'POST',
    path: '/otps/authenticate',
    body: {
      token: 'string',
      method_id: 'string',
      session_duration_minutes: 'number',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
    reply: AUTHENTICATED,
  }),
};
