/** What is said beside the social logins and the passkey button, and after a login by passkey. */
export const social = {
  'main.lastUsed': 'Last used',
  'passkeyConfirmation.title': 'Success!',
  'passkeyConfirmation.text': 'Your Passkey has been successfully authenticated.',
} as const;
