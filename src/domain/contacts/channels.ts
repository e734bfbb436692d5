/** The ways to deliver a passcode. The page's start needs these lists alone, so that they have a file. */

export const PHONE_METHODS = ['sms', 'whatsapp'] as const;
export const OTP_METHODS = ['email', ...PHONE_METHODS] as const;
