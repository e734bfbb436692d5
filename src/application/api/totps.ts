import type { User } from '#domain/users/user.ts';
import { AUTHENTICATED, type AuthenticationReply, type ChangesUser } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

export const totps = {
  /** Creates a secret for an authenticator app, with its QR code as a data URL, and recovery codes. */
  create: endpoint<
    ChangesUser & {
      readonly totp_id: string;
      readonly secret: string;
      readonly qr_code: string;
      readonly recovery_codes: string[];
      readonly user_id: string;
      readonly user: User;
    }
  >()({
    name: 'totps.create',
    method: 'POST',
    path: '/totps',
    body: { expiration_minutes: 'number' },
  }),
  authenticate: endpoint<AuthenticationReply & { readonly totp_id: string }>()({
    name: 'totps.authenticate',
    method: 'POST',
    path: '/totps/authenticate',
    body: { totp_code: 'string', session_duration_minutes: 'number' },
    reply: AUTHENTICATED,
  }),
  recoveryCodes: endpoint<{
    readonly user_id: string;
    readonly totps: {
      readonly totp_id: string;
      readonly verified: boolean;
      readonly recovery_codes: string[];
    }[];
  }>()({ name: 'totps.recoveryCodes', method: 'POST', path: '/totps/recovery_codes' }),
  recover: endpoint<AuthenticationReply & { readonly totp_id: string }>()({
    name: 'totps.recover',
    method: 'POST',
    path: '/totps/recover',
    body: { recovery_code: 'string', session_duration_minutes: 'number' },
    reply: AUTHENTICATED,
  }),
};
