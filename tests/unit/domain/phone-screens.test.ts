import { describe, expect, it } from 'vitest';
import { toAuthError } from '#domain/thrown.ts';
import type { Intent, WidgetEvent } from '#domain/screens/event.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { nextScreen } from '#domain/screens/transitions.ts';
import { isHeldBack } from '#domain/screens/events.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';

const entered = { country: 'US', national: '(415) 555-2671' } as const;
const requested: Intent = { type: 'phone/requested', method: 'sms', edit: 3, ...entered };
const edited = (edit: number): Intent => ({ type: 'phone/edited', edit, ...entered });
const formatted = (edit: number): WidgetEvent => ({ type: 'phone/formatted', edit, text: 'nice', country: null });
const invalid = (edit: number): WidgetEvent => ({ type: 'phone/invalid', edit });
const error = toAuthError(new Error('no'));
const otp = {
  type: 'whatsapp',
  methodId: 'm-1',
  destination: '+14155552671',
  expiresAt: 1,
  phone: { ...entered, international: '+1 415 555 2671' },
} as const;

const after = (...events: readonly WidgetEvent[]): WidgetState => events.reduce(reduce, INITIAL_STATE);

describe('the screens of a telephone number', () => {
  it.each([requested, edited(1), formatted(1), invalid(1), { type: 'tab/chosen' } as const])(
    '$type leads nowhere by itself',
    (event) => {
      for (const screen of [
        { name: 'Main', email: '' },
        { name: 'OTPAuthenticate', otp },
      ] satisfies Screen[]) {
        expect(nextScreen(screen, event)).toBe(screen);
      }
    },
  );

  it('lead back to what was entered, in its tab', () => {
    expect(nextScreen({ name: 'OTPAuthenticate', otp }, { type: 'back' })).toEqual({
      name: 'Main',
      email: '',
      phone: { method: 'whatsapp', ...entered },
    });
    const { phone: _, ...bare } = otp;
    expect(nextScreen({ name: 'OTPAuthenticate', otp: bare }, { type: 'back' })).toEqual({ name: 'Main', email: '' });
  });
});

describe('the state of a phone number', () => {
  it('belongs to one edit', () => {
    const known = after(edited(1), formatted(1));
    expect(known.phone).toEqual({ edit: 1, formatted: { text: 'nice', country: null }, invalid: false });
    expect(reduce(known, edited(1))).toBe(known);
    expect(reduce(known, edited(2)).phone).toEqual({ edit: 2, formatted: null, invalid: false });
    expect(after(edited(2), formatted(1)).phone?.formatted).toBeNull();
    expect(after(formatted(1)).phone).toBeNull();
  });

  it('is that it is none, which ends the waiting and is no error', () => {
    const waiting = after(edited(3), requested);
    expect(waiting.pending).toBe('phone/requested');
    expect(isHeldBack(waiting, requested)).toBe(true);
    expect(isHeldBack(waiting, edited(3))).toBe(false);
    const refused = reduce(waiting, invalid(3));
    expect(refused).toMatchObject({ pending: null, error: null, phone: { edit: 3, invalid: true } });
    expect(reduce(refused, edited(4)).phone?.invalid).toBe(false);
    expect(after(requested, invalid(0)).phone).toEqual({ edit: 0, formatted: null, invalid: true });
  });

  it('goes with the screen', () => {
    expect(after(edited(1), requested, { type: 'otp/sent', otp, reply: {} }).phone).toBeNull();
  });

  it('survives a refusal of the server, which another tab takes away', () => {
    const failed = after(edited(1), requested, { type: 'failed', asked: requested, error });
    expect(failed).toMatchObject({ pending: null, error, phone: { edit: 1 } });
    expect(reduce(failed, { type: 'tab/chosen' }).error).toBeNull();
  });
});
