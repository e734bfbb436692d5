/** What the screens say, keyed by screen. `{name}` marks a value. */
export const en = {
  'main.title': 'Sign up or log in',
  'email.label': 'Email address',
  'email.placeholder': 'example@email.com',
  'email.continue': 'Continue with email',
  'email.invalid.magicLink': 'Email format is invalid.',
  'email.invalid.otp': 'Invalid email address.',

  'emailConfirmation.title': 'Check your email',
  'emailConfirmation.sent': 'An email was sent to {email}.',
  'emailConfirmation.open': 'Open in {mailbox}',
  'emailConfirmation.missing': "Didn't get it?",
  'emailConfirmation.tryAgain': 'Try again',

  'otp.title': 'Enter passcode',
  'otp.sent': 'A 6-digit passcode was sent to you at {destination}.',
  'otp.field': 'Passcode',
  'otp.verifying': 'Verifying passcode...',
  'otp.expiresIn': 'Your code expires in {time}.',
  'otp.expired': 'Your code has expired.',
  'otp.missing': "Didn't get it?",
  'otp.resend': 'Resend code',
  'otp.resent': 'Code sent',

  'otpConfirmation.title': 'Success!',
  'otpConfirmation.text': 'Your passcode has been successfully verified.',

  'complete.title': 'Success!',
  'complete.text': 'You have successfully logged in.',

  'failure.title': 'Looks like there was an error!',
  'failure.text': 'Nothing was lost. Go back and try once more.',
  'failure.back': 'Go back',

  back: 'Back',
  loading: 'Loading...',
  done: 'Done.',
  watermark: 'Powered by',
} as const;
