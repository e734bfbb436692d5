/**
 * The channels of passcodes. Each is an entry in every list of this file; the rest is derived. The start of a page needs only the first two
 * lists.
 */

/** The channels that reach a phone. As second factors, the last is the strongest. */
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
