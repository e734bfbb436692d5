import type { MfaStep, PendingRecovery, RecoveryCodeSummary, TrustedDevice } from '#domain/sessions/mfa.ts';
import { endpoint } from './endpoint.ts';
import { RISK_FIELDS } from './risk-fields.ts';

/**
 * The second factor of a login. An addition to the reference's wire. Calls whose body has `intermediate_session_token` also need
 * `mfa_code_verifier` if the first factor was proved with a `mfa_code_challenge`.
 */
export const mfa = {
  /** The missing step of the intermediate session, for a page that was reloaded. */
  status: endpoint<{ readonly mfa: MfaStep }>()({
    name: 'mfa.status',
    method: 'POST',
    path: '/mfa/status',
  }),
  /** Sends a code to one of the step's numbers; `otps.authenticate` completes the login with it. */
  sendCode: endpoint<{ readonly method_id: string }>()({
    name: 'mfa.sendCode',
    method: 'POST',
    path: '/mfa/send_code',
    body: { phone_id: 'string', channel: 'string', locale: 'string?', ...RISK_FIELDS },
    reply: { method_id: 'string' },
  }),
  /** Sends a code to a number. Entering the code makes the number the user's second factor. */
  addPhone: endpoint<{ readonly method_id: string }>()({
    name: 'mfa.addPhone',
    method: 'POST',
    path: '/mfa/add_phone',
    body: { phone_number: 'string', channel: 'string', locale: 'string?', ...RISK_FIELDS },
    reply: { method_id: 'string' },
  }),
  /**
   * Begins the removal of the user's second factors, for somebody who lost all of them. Every address and number of the account gets a
   * message with which it can be stopped; from `available_at` on (RFC 3339) their messages finish it. Another request returns the pending
   * recovery.
   */
  startRecovery: endpoint<PendingRecovery>()({
    name: 'mfa.startRecovery',
    method: 'POST',
    path: '/mfa/recovery/start',
    body: { ...RISK_FIELDS },
  }),
  /** The pending removal of the signed-in user's second factors; null if there is none, or this session cannot stop it. */
  recovery: endpoint<{ readonly recovery: PendingRecovery | null }>()({
    name: 'mfa.recovery',
    method: 'GET',
    path: '/users/me/recovery',
  }),
  /** Stops the pending removal, if any, and notifies every address and number of the account. */
  stopRecovery: endpoint<object>()({
    name: 'mfa.stopRecovery',
    method: 'DELETE',
    path: '/users/me/recovery',
  }),
  /** The number of recovery codes that the signed-in user has left; null without an authenticator app. */
  recoveryCodes: endpoint<{ readonly recovery_codes: RecoveryCodeSummary | null }>()({
    name: 'mfa.recoveryCodes',
    method: 'GET',
    path: '/users/me/recovery_codes',
  }),
  /** Makes new recovery codes for the user's authenticator app. Earlier ones become invalid immediately. */
  renewRecoveryCodes: endpoint<{ readonly recovery_codes: string[] }>()({
    name: 'mfa.renewRecoveryCodes',
    method: 'POST',
    path: '/users/me/recovery_codes',
  }),
  /** The user's browsers in which a login needs only one factor. */
  trustedDevices: endpoint<{ readonly devices: readonly TrustedDevice[] }>()({
    name: 'mfa.trustedDevices',
    method: 'GET',
    path: '/users/me/trusted_devices',
  }),
  removeTrustedDevice: endpoint<object>()({
    name: 'mfa.removeTrustedDevice',
    method: 'DELETE',
    path: '/users/me/trusted_devices/:device_id',
  }),
};
