/** Errors of native devices, which the bridge of a web view reports by code (specification, section 8). */

const NAMES = {
  no_current_session: 'NoCurrentSessionError',
  no_biometrics_registration: 'NoBiometricsRegistrationError',
  biometrics_unavailable: 'BiometricsUnavailableError',
  key_invalidated: 'KeyInvalidatedError',
  no_biometrics_enrolled: 'NoBiometricsEnrolledError',
  keystore_unavailable: 'KeystoreUnavailableError',
  device_credentials_not_allowed: 'DeviceCredentialsNotAllowedError',
  user_cancellation: 'UserCancellationError',
  user_locked_out: 'UserLockedOutError',
  sdk_not_configured: 'SDKNotConfiguredError',
} as const;

const TEXTS: Readonly<Record<NativeErrorCode, string>> = {
  no_current_session: 'There is no session that is currently active.',
  no_biometrics_registration: 'There is no biometric registration on this device.',
  biometrics_unavailable: 'Biometrics are not available on this device.',
  key_invalidated: 'The biometric key is no longer valid. Remove the registration and register again.',
  no_biometrics_enrolled: 'No biometric factor is enrolled on this device.',
  keystore_unavailable: 'The secure key store of this device is not available.',
  device_credentials_not_allowed: 'Device credentials are not allowed for this registration.',
  user_cancellation: 'The user canceled the prompt.',
  user_locked_out: 'The user is locked out because of too many failed attempts.',
  sdk_not_configured: 'The native client is not configured.',
  internal_error: 'An internal error has occurred.',
};

/** The codes that native devices report. */
export type NativeErrorCode = keyof typeof NAMES | 'internal_error';

/** An error that a native device reported. `name` identifies it. */
export class NativeError extends Error {
  constructor(
    readonly code: NativeErrorCode,
    override readonly name: string,
  ) {
    super(TEXTS[code]);
  }
}

/** The error for a native code. An unknown code becomes `internal_error`. */
export function nativeError(code: string): NativeError {
  const key = Object.hasOwn(NAMES, code) ? (code as keyof typeof NAMES) : null;
  return key === null ? new NativeError('internal_error', 'InternalError') : new NativeError(key, NAMES[key]);
}
