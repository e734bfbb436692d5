import { describe, expect, it } from 'vitest';
import { B2BEventType, B2BMFAProducts, B2BOAuthProviders, B2BProducts, B2BScreens } from '#domain/b2b.ts';
import { nativeError } from '#domain/native-errors.ts';

describe('native errors', () => {
  it.each([
    ['no_current_session', 'NoCurrentSessionError'],
    ['no_biometrics_registration', 'NoBiometricsRegistrationError'],
    ['biometrics_unavailable', 'BiometricsUnavailableError'],
    ['key_invalidated', 'KeyInvalidatedError'],
    ['no_biometrics_enrolled', 'NoBiometricsEnrolledError'],
    ['keystore_unavailable', 'KeystoreUnavailableError'],
    ['device_credentials_not_allowed', 'DeviceCredentialsNotAllowedError'],
    ['user_cancellation', 'UserCancellationError'],
    ['user_locked_out', 'UserLockedOutError'],
    ['sdk_not_configured', 'SDKNotConfiguredError'],
    ['something_else', 'InternalError'],
    ['__proto__', 'InternalError'],
  ])('%s is a %s', (code, name) => {
    const error = nativeError(code);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
    expect(error.message).not.toBe('');
  });
});

describe('the B2B vocabulary', () => {
  it('has the names of the specification', () => {
    expect(Object.values(B2BProducts)).toEqual(['emailMagicLinks', 'emailOtp', 'sso', 'passwords', 'oauth']);
    expect(Object.values(B2BMFAProducts)).toEqual(['smsOtp', 'totp']);
    expect(Object.values(B2BOAuthProviders)).toEqual(['google', 'microsoft', 'hubspot', 'slack', 'github']);
    expect(B2BScreens).toMatchObject({
      Discovery: 'Discovery',
      TOTPEntry: 'TOTPEntry',
      PasswordResetForm: 'PasswordResetForm',
    });
    expect(Object.keys(B2BEventType)).toHaveLength(29);
    expect(B2BEventType.B2B_SSO_START).toBe('B2B_SSO_START');
  });
});
