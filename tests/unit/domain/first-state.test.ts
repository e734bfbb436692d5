import { describe, expect, it } from 'vitest';
import { firstState } from '#domain/screens/first-state.ts';
import { reduce } from '#domain/screens/reduce.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { isBackground } from '#domain/screens/submits.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';
import { email, EVENTS, failed, otp } from './every-event.ts';

const SCREENS: readonly Screen[] = [
  { name: 'Main', email: '' },
  { name: 'OTPAuthenticate', otp },
  { name: 'EmailConfirmation', email },
  { name: 'PasswordResetForm', tokenType: 'login' },
  { name: 'PasskeyRegistrationStart', creation: null },
  { name: 'IDPConsent' },
];
const STATES: readonly WidgetState[] = SCREENS.flatMap((screen) => [
  { ...INITIAL_STATE, screen },
  { ...INITIAL_STATE, screen, pending: 'oauth/chosen', pendingIndex: 1 },
]);
const events = [...Object.values(EVENTS), failed(EVENTS['oauth/chosen']), failed(EVENTS['otp/requested'])];

describe('the start of a page, before the code of all events is there', () => {
  it.each(STATES)('shows an event on $screen.name with $pending as that code does', (state) => {
    const known = events.filter((event) => firstState(state, event) !== null);
    expect(known.length).toBeGreaterThan(20);
    expect(known.map((event) => firstState(state, event))).toEqual(known.map((event) => reduce(state, event)));
  });

  it('needs it for no event that comes without an intent', () => {
    const others = events.filter((event) => firstState(INITIAL_STATE, event) === null);
    expect(others.filter(({ type }) => isBackground(type))).toEqual([]);
  });
});
