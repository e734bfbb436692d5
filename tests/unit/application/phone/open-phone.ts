import { otps } from '#application/api/index.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';

export const PHONES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['sms', 'whatsapp'] } };
export const LOCAL = '(415) 555-2671';
export const E164 = '+14155552671';

type PhoneRequest = Extract<Intent, { type: 'phone/requested' }>;
export const asked = (change: Partial<PhoneRequest> = {}): PhoneRequest => ({
  type: 'phone/requested',
  method: 'sms',
  country: 'US',
  national: LOCAL,
  edit: 1,
  ...change,
});

export function openPhone(config: LoginConfig = PHONES) {
  const opened = openLogin(config);
  const { transport } = opened.world;
  return {
    ...opened,
    phone: opened.ports.phone,
    sms: () => transport.requestsTo(otps.smsLoginOrCreate).map(({ body }) => body),
    whatsapp: () => transport.requestsTo(otps.whatsappLoginOrCreate).map(({ body }) => body),
  };
}
