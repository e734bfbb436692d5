import { endpoint } from '#application/api/endpoint.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated, type BackendUser } from './reply.ts';

/** A user id may always be an external id instead. */
export const totps = {
  /** Creates a secret for an authenticator app, with its QR code as a data URL, and recovery codes. */
  create: endpoint<{
    readonly totp_id: string;
    readonly secret: string;
    readonly qr_code: string;
    readonly recovery_codes: readonly string[];
    readonly user_id: string;
    readonly user: BackendUser;
  }>()({
    name: 'totps.create',
    method: 'POST',
    path: '/totps',
    body: { user_id: 'string', expiration_minutes: 'number?' },
  }),
  authenticate: endpoint<BackendAuthenticated & { readonly totp_id: string }>()({
    name: 'totps.authenticate',
    method: 'POST',
    path: '/totps/authenticate',
    body: { user_id: 'string', totp_code: 'string', ...SESSION_FIELDS, ...ATTRIBUTES },
  }),
  recoveryCodes: endpoint<{
    readonly user_id: string;
    readonly totps: readonly {
      readonly totp_id: string;
      readonly verified: boolean;
      readonly recovery_codes: readonly string[];
    }[];
  }>()({ name: 'totps.recoveryCodes', method: 'POST', path: '/totps/recovery_codes', body: { user_id: 'string' } }),
  recover: endpoint<BackendAuthenticated & { readonly totp_id: string }>()({
    name: 'totps.recover',
    method: 'POST',
    path: '/totps/recover',
    body: { user_id: 'string', recovery_code: 'string', ...SESSION_FIELDS, ...ATTRIBUTES },
  }),
};
