import { describe, expect, it } from 'vitest';
import type { Intent } from '#domain/screens/event.ts';
import { loggable } from '#domain/screens/events.ts';
import { EVENTS, failed } from './every-event.ts';

const CANARY = 'canary-7f3a';
/** The fields in which an event holds what a person proves somebody with. */
const SECRET_FIELDS = new Set(['code', 'password', 'signature']);
const ASKED = { type: 'account/asked', change: { kind: 'password', password: CANARY } } as const;

const withCanary = <Event extends object>(event: Event): Event =>
  Object.fromEntries(
    Object.entries(event).map(([field, value]) => [field, SECRET_FIELDS.has(field) ? CANARY : value]),
  ) as Event;

const events = [...Object.values(EVENTS).map(withCanary), ASKED];
const holding = events.filter((event) => JSON.stringify(event).includes(CANARY));

describe('an event for the event log', () => {
  it('is never one with a secret', () => {
    expect(holding.map(({ type }) => type)).toEqual([
      'otp/codeEntered',
      'password/edited',
      'password/createRequested',
      'password/loginRequested',
      'password/resetSubmitted',
      'wallet/signed',
      'account/proven',
      'device/codeEntered',
      'account/asked',
    ]);
    expect(holding.map(loggable)).toEqual(holding.map(() => null));
  });

  it.each(holding.filter(({ type }) => /^(?:otp|password)\//u.test(type)))(
    'is the failure of $type without its secret',
    (intent) => {
      const event = loggable(failed(intent as Intent));
      expect(event).toMatchObject({ type: 'failed', asked: { type: intent.type } });
      expect(JSON.stringify(event)).not.toContain(CANARY);
    },
  );

  it('is whole when it has no secret', () => {
    expect(loggable(EVENTS['otp/sent'])).toBe(EVENTS['otp/sent']);
    const failure = failed(EVENTS['magicLink/requested']);
    expect(loggable(failure)).toEqual(failure);
  });
});
