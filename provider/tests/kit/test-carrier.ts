import type { Carrier, Outcome, Parcel } from '#provider/messages/outbox/carrier.ts';
import type { Draft } from '#provider/messages/outbox/store.ts';

export const SENT: Outcome = { kind: 'sent' };

/** Keeps what it was given, and answers as the test says. */
export class TestCarrier implements Carrier {
  readonly taken: Parcel[] = [];
  closed = false;
  constructor(readonly answer: (parcel: Parcel, signal: AbortSignal) => Outcome | Promise<Outcome> = () => SENT) {}
  async deliver(parcel: Parcel, signal: AbortSignal): Promise<Outcome> {
    this.taken.push(parcel);
    return this.answer(parcel, signal);
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

/** A passcode as the server writes it. */
export const DRAFT = {
  kind: 'login_passcode',
  channel: 'email',
  to: 'ada@example.com',
  subject: '123456 is your passcode',
  text: 'Your passcode is 123456.',
  code: '123456',
  values: { project: 'Portico' },
  minutes: 10,
} as const satisfies Draft;
export const FOREVER = new Promise<never>(() => undefined);
