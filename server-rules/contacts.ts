import type { OtpMethod } from '#domain/passcodes/otp.ts';
import { emailKey } from './accounts.ts';

/** An email address, or a phone number. */
export type ContactKind = 'email' | 'phone';

/** Each kind of contact: its field on the wire, the prefix of its ids, its refusals, and its form for searches. */
export const CONTACT_KINDS = {
  email: {
    field: 'email',
    idKind: 'email',
    unknown: 'email_not_found',
    taken: 'duplicate_email',
    keyOf: emailKey,
  },
  phone: {
    field: 'phone_number',
    idKind: 'phone-number',
    unknown: 'phone_number_not_found',
    taken: 'duplicate_phone_number',
    keyOf: (phoneNumber: string): string => phoneNumber,
  },
} as const;

/** A contact of a user. */
export interface Contact {
  readonly kind: ContactKind;
  /** The wire's `email_id` or `phone_id`. */
  readonly method_id: string;
  readonly user_id: string;
  /** The email address as first entered, or the phone number (E.164). */
  readonly value: string;
  readonly verified: boolean;
}

/** How a passcode is delivered. */
export type PasscodeChannel = OtpMethod;

export const contactKindOf = (channel: PasscodeChannel): ContactKind => (channel === 'email' ? 'email' : 'phone');
