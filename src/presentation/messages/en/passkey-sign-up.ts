/** The texts of the sign-up with a passkey alone. */
export const passkeySignUp = {
  'passkeySignUp.button': 'Create account with passkey',
  'passkeySignUp.text': 'Your fingerprint, your face or your screen lock is all you need. There is no password.',
} as const;
