/** The texts of the sign-up with only a passkey. */
export const passkeySignUp = {
  'passkeySignUp.button': 'Create account with passkey',
  'passkeySignUp.text': 'Your fingerprint, your face or your screen lock is all you need. There is no password.',
} as const;
