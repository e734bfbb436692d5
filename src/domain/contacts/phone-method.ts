import { PHONE_METHODS } from './channels.ts';
import type { PhoneMethod } from './phone.ts';

/** True for the ways to send a passcode to a phone number. A separate file, because the page's start does not need it. */
export const isPhoneMethod = (value: unknown): value is PhoneMethod => PHONE_METHODS.some((method) => method === value);
