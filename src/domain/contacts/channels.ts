/**
 * The channels of passcodes: a channel is an entry of each list of this file, and the rest is derived. The page's start needs the first
 * two alone.
 */

/** The channels that reach a phone; as second factors the last is the strongest. */
export const PHONE_METHODS = ['sms', 'whatsapp'] as const;
export const OTP_METHODS = ['email', ...PHONE_METHODS] as const;

type Channel = (typeof OTP_METHODS)[number];

/** How a passcode is delivered. */
export const OTPMethods = { SMS: 'sms', WhatsApp: 'whatsapp', Email: 'email' } as const satisfies Record<
  string,
  Channel
>;
export type OTPMethods = Channel;

/** The names in the provider's pages. */
export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = { email: 'email', sms: 'text', whatsapp: 'WhatsApp' };
