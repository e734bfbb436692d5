import type { PhoneMethod } from '#domain/contacts/phone.ts';

/** The channels to phones, as texts name them. */
export const PHONE_METHOD_NAMES: Readonly<Record<PhoneMethod, string>> = { sms: 'text message', whatsapp: 'WhatsApp' };
