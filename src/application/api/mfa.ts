import type { MfaStep, PendingRecovery, RecoveryCodeSummary, TrustedDevice } from '../../domain/sessions/mfa.ts';
import { endpoint } from './endpoint.ts';
import { RISK_FIELDS } from './risk-fields.ts';

/**
 * The second factor of a login. An addition to the reference's wire. Calls whose body has `intermediate_session_token` need
 * `mfa_code_verifier` as well when the first factor was proved with a `mfa_code_challenge`.
 */
export const mfa = {
  /** The step that the intermediate session lacks, for a page that was loaded again. */
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
  /** Sends a code to a number that becomes the user's second factor with it. */
  addPhone: endpoint<{ readonly method_id: string }>()({
    name: 'mfa.addPhone',
    method: 'POST',
    path: '/mfa/add_phone',
    body: { phone_number: 'string', channel: 'string', locale: 'string?', ...RISK_FIELDS },
    reply: { method_id: 'string' },
  }),
  /**
   * Begins the removal of the user's second factors, for somebody who lost all of them. Every address and number of the account is told,
   * and can stop it; from `available_at` on (RFC 3339) their messages finish it. Asking again returns the recovery that waits.
   */
  startRecovery: endpoint<PendingRecovery>()({
    name: 'mfa.startRecovery',
    method: 'POST',
    path: '/mfa/recovery/start',
    body: { ...RISK_FIELDS },
  }),
  /** The removal of the signed-in user's second factors that waits; null without one, and where this session cannot stop it. */
  recovery: endpoint<{ readonly recovery: PendingRecovery | null }>()({
    name: 'mfa.recovery',
    method: 'GET',
    path: '/users/me/recovery',
  }),
  /** Stops the removal that waits, if any. Every address and number of the account is told. */
  stopRecovery: endpoint<object>()({
    name: 'mfa.stopRecovery',
    method: 'DELETE',
    path: '/users/me/recovery',
  }),
  /** The recovery codes that the signed-in user has left; null without an authenticator app. */
  recoveryCodes: endpoint<{ readonly recovery_codes: RecoveryCodeSummary | null }>()({
    name: 'mfa.recoveryCodes',
    method: 'GET',
    path: '/users/me/recovery_codes',
  }),
  /** Makes new recovery codes for the user's authenticator app. Those before end at once. */
  renewRecoveryCodes: endpoint<{ readonly recovery_codes: string[] }>()({
    name: 'mfa.renewRecoveryCodes',
    method: 'POST',
    path: '/users/me/recovery_codes',
  }),
  /** The user's browsers in which a login needs one factor. */
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
