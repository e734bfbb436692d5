/** What the first screen says, and what may be said at any time. `{name}` marks a value. */
export const start = {
  'main.title': 'Sign up or log in',
  'email.label': 'Email address',
  'email.placeholder': 'example@email.com',
  'email.continue': 'Continue with email',
  'email.invalid.magicLink': 'Email format is invalid.',
  'email.invalid.otp': 'Invalid email address.',
  'wallets.others': 'Continue with other Crypto Wallet',
  'failure.title': 'Looks like there was an error!',
  'failure.text': 'Nothing was lost. Go back and try once more.',
  'failure.back': 'Go back',
  back: 'Back',
  loading: 'Loading...',
  done: 'Done.',
  watermark: 'Powered by',
  'toast.emailResent': 'Email resent',
} as const;
