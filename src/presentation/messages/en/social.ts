/** What is said after a login by passkey. */
export const social = {
  'passkeyConfirmation.title': 'Success!',
  'passkeyConfirmation.text': 'Your Passkey has been successfully authenticated.',
} as const;
