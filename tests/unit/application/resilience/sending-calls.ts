import { api, type Endpoint } from '#application/api/index.ts';
import type { PublicCall } from './public-call.ts';

/** Stands for `any` where a test passes what the types forbid. */
type UntypedArgument = Readonly<Record<string, never>>;

/** The public methods that send a passcode. */
export const SENDS = (['email', 'sms', 'whatsapp'] as const).flatMap((channel) =>
  (['loginOrCreate', 'send'] as const).map((kind): PublicCall => {
    const field = channel === 'email' ? 'email' : 'phone_number';
    const { otps } = api;
    const to: Record<string, readonly Endpoint[]> = {
      'email.loginOrCreate': [otps.emailLoginOrCreate],
      'email.send': [otps.emailSendPrimary, otps.emailSendSecondary],
      'sms.loginOrCreate': [otps.smsLoginOrCreate],
      'sms.send': [otps.smsSendPrimary, otps.smsSendSecondary],
      'whatsapp.loginOrCreate': [otps.whatsappLoginOrCreate],
      'whatsapp.send': [otps.whatsappSendPrimary, otps.whatsappSendSecondary],
    };
    return {
      method: `otps.${channel}.${kind}`,
      to: to[`${channel}.${kind}`] ?? [],
      good: { [field]: channel === 'email' ? 'ada@example.com' : '+15005550006' },
      required: { [field]: 'string' },
      call: (client, given: UntypedArgument) => client.otps[channel][kind](given[field] as never),
    };
  }),
);
