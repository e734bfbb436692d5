/** The error classes of native devices that apps of the reference client import. A browser throws none of them. */
import { StytchSDKError } from './errors.ts';

/** Written out, because the inferred type contains the static fields of `Error`, which in Node's types need Node's types. */
type NamedError = (new () => StytchSDKError) & { readonly of: string | null };

/** Makes the class for one kind of error. It recognizes errors by their name, no matter what code threw them. */
function errorOf(name: string, description: string): NamedError {
  return class extends StytchSDKError {
    static override readonly of: string | null = name;

    constructor() {
      super(name, description);
    }
  };
}

export class NoCurrentSessionError extends errorOf(
  'NoCurrentSessionError',
  'There is no session that is currently active.',
) {}
export class NoBiometricsRegistrationError extends errorOf(
  'NoBiometricsRegistrationError',
  'There is no biometric registration on this device.',
) {}
export class BiometricsUnavailableError extends errorOf(
  'BiometricsUnavailableError',
  'Biometrics are not available on this device.',
) {}
export class KeyInvalidatedError extends errorOf('KeyInvalidatedError', 'The biometric key is no longer valid.') {}
export class KeystoreUnavailableError extends errorOf(
  'KeystoreUnavailableError',
  'The secure key store of this device is not available.',
) {}
export class NoBiometricsEnrolledError extends errorOf(
  'NoBiometricsEnrolledError',
  'No biometric factor is enrolled on this device.',
) {}
export class BiometricsAlreadyEnrolledError extends errorOf(
  'BiometricsAlreadyEnrolledError',
  'A biometric registration exists on this device already.',
) {}
export class UserCancellationError extends errorOf('UserCancellationError', 'The user cancelled the prompt.') {}
export class UserLockedOutError extends errorOf(
  'UserLockedOutError',
  'The user is locked out because of too many failed attempts.',
) {}
export class DeviceCredentialsNotAllowedError extends errorOf(
  'DeviceCredentialsNotAllowedError',
  'Device credentials are not allowed for this registration.',
) {}
export class MissingGoogleClientIDError extends errorOf(
  'MissingGoogleClientIDError',
  'No Google client ID is configured.',
) {}
export class MissingPKCEError extends errorOf('MissingPKCEError', 'There is no PKCE pair on this device.') {}
export class MissingAuthorizationCredentialIDTokenError extends errorOf(
  'MissingAuthorizationCredentialIDTokenError',
  'The authorization credential has no ID token.',
) {}
export class InvalidAuthorizationCredentialError extends errorOf(
  'InvalidAuthorizationCredentialError',
  'The authorization credential is not valid.',
) {}
export class NoCredentialsPresentError extends errorOf(
  'NoCredentialsPresentError',
  'There are no credentials on this device.',
) {}
export class MissingPublicKeyError extends errorOf('MissingPublicKeyError', 'There is no public key on this device.') {}
export class ChallengeSigningFailedError extends errorOf(
  'ChallengeSigningFailedError',
  'The challenge could not be signed.',
) {}
export class SDKNotConfiguredError extends errorOf('SDKNotConfiguredError', 'The native client is not configured.') {}
export class FailedCodeChallengeError extends errorOf(
  'FailedCodeChallengeError',
  'The PKCE code challenge could not be made.',
) {}
export class PasskeysUnsupportedError extends errorOf(
  'PasskeysUnsupportedError',
  'Passkeys are not supported on this device.',
) {}
export class FailedToDecryptDataError extends errorOf(
  'FailedToDecryptDataError',
  'What is stored on this device could not be decrypted.',
) {}
export class BiometricsFailedError extends errorOf('BiometricsFailedError', 'The biometric check failed.') {}
export class InvalidStartUrlError extends errorOf('InvalidStartUrlError', 'The address to start at is not valid.') {}
export class InvalidRedirectSchemeError extends errorOf(
  'InvalidRedirectSchemeError',
  'The scheme of the redirect address is not valid.',
) {}
export class MissingUrlError extends errorOf('MissingUrlError', 'There is no address to return to.') {}
export class InvalidCredentialTypeError extends errorOf(
  'InvalidCredentialTypeError',
  'The type of the credential is not valid.',
) {}
export class MissingAttestationObjectError extends errorOf(
  'MissingAttestationObjectError',
  'The credential has no attestation object.',
) {}
export class JSONDataNotConvertibleToStringError extends errorOf(
  'JSONDataNotConvertibleToStringError',
  'The JSON data could not be made into a string.',
) {}
export class RandomNumberGenerationFailed extends errorOf(
  'RandomNumberGenerationFailed',
  'No random number could be made.',
) {}
export class PasskeysInvalidEncoding extends errorOf(
  'PasskeysInvalidEncoding',
  'The encoding of the passkey is not valid.',
) {}
export class PasskeysMisconfigured extends errorOf(
  'PasskeysMisconfigured',
  'Passkeys are not configured for this app.',
) {}
export class SignInWithAppleMisconfigured extends errorOf(
  'SignInWithAppleMisconfigured',
  'Sign in with Apple is not configured for this app.',
) {}
export class MissingCipherIv extends errorOf(
  'MissingCipherIv',
  'What is stored on this device has no initialization vector.',
) {}
export class InvalidPrivateKeyLength extends errorOf(
  'InvalidPrivateKeyLength',
  'The length of the private key is not valid.',
) {}
export class BiometricRegistrationIdIsNullOrBlank extends errorOf(
  'BiometricRegistrationIdIsNullOrBlank',
  'The biometric registration has no id.',
) {}
export class DFPNotConfigured extends errorOf('DFPNotConfigured', 'Device fingerprinting is not configured.') {}
export class IDPOAuthFlowMissingParamError extends errorOf(
  'IDPOAuthFlowMissingParamError',
  'A parameter of the OAuth request is missing.',
) {}

/** Errors without a separate class. */
export class InternalError extends StytchSDKError {
  readonly nativeStack?: unknown;

  constructor(error: unknown) {
    super('InternalError', error instanceof Error ? error.message : 'An internal error has occurred.');
    this.nativeStack = error instanceof Error ? error.stack : undefined;
  }
}
