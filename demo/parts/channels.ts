import type { OTPMethods } from 'portico';

/** The channels of passcodes, as the demo names them within a sentence. */
export const CHANNELS: Readonly<Record<OTPMethods, string>> = { email: 'email', sms: 'text', whatsapp: 'WhatsApp' };

/** The name of a channel at the start of a line. */
export function channelTitle(channel: OTPMethods): string {
  const name = CHANNELS[channel];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
