import type { ActorKind } from './tables.ts';

/** The events of all calls that change something, in both APIs, by the names of their endpoints. */
const EVENTS_OF_CALLS = {
  'magicLinks.authenticate': 'login',
  'otps.authenticate': 'login',
  'oauth.authenticate': 'login',
  'passwords.authenticate': 'login',
  'passwords.create': 'sign_up',
  'passwords.resetByEmail': 'password_changed',
  'passwords.resetByExistingPassword': 'password_changed',
  'passwords.resetBySession': 'password_changed',
  'passwords.email.reset': 'password_changed',
  'passwords.existingPassword.reset': 'password_changed',
  'passwords.sessions.reset': 'password_changed',
  'passwords.migrate': 'password_imported',
  'totps.create': 'factor_started',
  'totps.authenticate': 'login',
  'totps.recover': 'login',
  'totps.recoveryCodes': 'recovery_codes_shown',
  'webauthn.register': 'factor_added',
  'webauthn.signUp': 'sign_up',
  'webauthn.authenticate': 'login',
  'webauthn.update': 'factor_renamed',
  'profile.complete': 'login',
  'profile.update': 'user_changed',
  'mfa.addPhone': 'factor_started',
  'mfa.renewRecoveryCodes': 'recovery_codes_renewed',
  'mfa.removeTrustedDevice': 'trusted_device_removed',
  'cryptoWallets.authenticate': 'login',
  'impersonation.authenticate': 'impersonation',
  'sessions.exchangeAccessToken': 'login',
  'sessions.attest': 'login',
  'sessions.revoke': 'logout',
  'sessions.revokeOther': 'session_revoked',
  'sessions.revokeOthers': 'sessions_revoked',
  'sessions.revokeAll': 'sessions_revoked',
  'idp.authorizeSubmit': 'consent',
  'idp.deviceSubmit': 'consent',
  'idp.oauth.authorize': 'consent',
  'users.revokeConnectedApp': 'consent_revoked',
  'users.create': 'user_created',
  'users.update': 'user_changed',
  'users.delete': 'user_deleted',
  'users.export': 'user_exported',
  'users.exchangePrimaryFactor': 'factor_replaced',
  'users.deleteEmail': 'factor_removed',
  'users.deletePhoneNumber': 'factor_removed',
  'users.deleteTOTP': 'factor_removed',
  'users.deleteCryptoWallet': 'factor_removed',
  'users.deleteOAuthRegistration': 'factor_removed',
  'users.deleteWebauthnRegistration': 'factor_removed',
  'users.deleteBiometricRegistration': 'factor_removed',
  'users.deletePassword': 'factor_removed',
  'users.deleteExternalId': 'user_changed',
  'magicLinks.create': 'link_made',
  'magicLinks.email.invite': 'user_invited',
  'magicLinks.email.revokeInvite': 'invite_revoked',
  'oauth.attach': 'factor_started',
  'connectedApps.clients.create': 'client_created',
  'connectedApps.clients.update': 'client_changed',
  'connectedApps.clients.delete': 'client_deleted',
  'connectedApps.clients.secrets.rotateStart': 'client_secret_rotated',
  'connectedApps.clients.secrets.rotateCancel': 'client_secret_rotated',
  'connectedApps.clients.secrets.rotate': 'client_secret_rotated',
  'm2m.clients.create': 'client_created',
  'm2m.clients.update': 'client_changed',
  'm2m.clients.delete': 'client_deleted',
  'm2m.clients.secrets.rotateStart': 'client_secret_rotated',
  'm2m.clients.secrets.rotateCancel': 'client_secret_rotated',
  'm2m.clients.secrets.rotate': 'client_secret_rotated',
} as const;

/** The events of operators and of this server. */
const OWN_EVENTS = [
  'user_locked',
  /** A login that lacks the second factor, or what the project asks for. */
  'first_factor',
  'terms_accepted',
  'trusted_device_added',
  'user_unlocked',
  'device_added',
  /** The browser of a session has proved that it has the session's key. */
  'session_bound',
  'recovery_code_used',
  'app_connected',
  'recovery_started',
  'recovery_available',
  'recovery_canceled',
  'recovery_completed',
  'recovery_shortened',
  'account_restored',
  'user_exported',
  'users_exported',
  'user_imported',
  'sessions_revoked',
  'impersonation_token_made',
  'trusted_token_made',
  'signing_key_rotated',
  'project_secret_made',
  'project_secret_revoked',
  'agent_approved',
  'agent_refused',
  'message_retried',
  'messages_purged',
  'operator_invited',
  'operator_enrolled',
  'operator_login',
  'operator_logout',
  'operator_removed',
  'settings_reloaded',
] as const;

export type AuditEvent = (typeof EVENTS_OF_CALLS)[keyof typeof EVENTS_OF_CALLS] | (typeof OWN_EVENTS)[number];

/** All events, sorted by name. */
export const AUDIT_EVENTS: readonly AuditEvent[] = [
  ...new Set([...Object.values(EVENTS_OF_CALLS), ...OWN_EVENTS]),
].sort();

/** The event of an endpoint; null if the endpoint writes no row. */
export function eventOf(endpoint: string): AuditEvent | null {
  return Object.entries(EVENTS_OF_CALLS).find(([name]) => name === endpoint)?.[1] ?? null;
}

export interface Actor {
  readonly kind: ActorKind;
  readonly id: string | null;
}

/** The audit row of one request. The statement or transaction that makes the change writes it. */
export class Trail {
  /** Whether the row is written. */
  isWritten = false;
  /** The user of a failed login. Only the operator sees it; no reply contains it. */
  about: string | null = null;

  /**
   * @param event null for a request that writes no row
   * @param by the caller, if it is not the session's user: the app's own server
   */
  constructor(
    readonly requestId: string,
    public event: AuditEvent | null,
    readonly by: Actor | null = null,
  ) {}
}
