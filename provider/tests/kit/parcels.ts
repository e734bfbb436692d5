import type { Parcel } from '#provider/messages/outbox/carrier.ts';

export const LINK = 'https://app.example.com/in?stytch_token_type=magic_links&token=DOYoip3rvIMMW5lgItik';

/** A mail with a passcode, as the worker hands it to a carrier. */
export function parcel(fields: Partial<Parcel> = {}): Parcel {
  return {
    id: 'message-test-1',
    channel: 'email',
    kind: 'login_passcode',
    to: 'ada@example.com',
    subject: '428193 is your Acme passcode',
    text: 'Your passcode for Acme is 428193.',
    locale: 'en',
    templateId: null,
    values: { project: 'Acme', minutes: 5, at: '2030-01-01T00:00:00.000Z' },
    code: '428193',
    expiresAt: new Date(Date.now() + 300_000),
    attempt: 1,
    ...fields,
  };
}

/** A text message with a passcode. */
export function textParcel(fields: Partial<Parcel> = {}): Parcel {
  const text = 'Your Acme passcode is 428193.';
  return parcel({ channel: 'sms', to: '+14155550100', subject: '', text, ...fields });
}

/** For carriers whose deliveries a test does not end. */
export const PATIENT = new AbortController().signal;
