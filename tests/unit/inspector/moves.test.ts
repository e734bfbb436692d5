import { describe, expect, it } from 'vitest';
import { movesFrom } from '#application/inspector/moves.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { screenNames } from '#domain/screens/transitions.ts';

const OTP = { type: 'email', methodId: '', destination: '', expiresAt: 0 } as const;
const screen = (name: Screen['name']): Screen =>
  ({ name, email: '', otp: OTP, wallet: 'metamask', flow: { at: 'gone' } }) as unknown as Screen;

describe('the possible events of a screen', () => {
  it('is what the transition table says', () => {
    const told = (name: Screen['name']) =>
      Object.fromEntries(movesFrom(screen(name)).map(({ event, to }) => [event, to]));
    expect(told('OTPAuthenticate')).toEqual({
      'otp/verified': ['OTPConfirmation'],
      'otp/resent': ['OTPAuthenticate'],
      'session/appeared': ['AuthenticateFlowComplete'],
      'factor/required': ['SecondFactor'],
      back: ['Main'],
    });
    expect(told('PasswordResetForm')['password/resetMailed']).toEqual([
      'PasswordForgot',
      'PasswordDedupe',
      'PasswordBreached',
      'PasswordSetNew',
    ]);
    expect(told('CryptoConnect')['failed']).toEqual(['CryptoError']);
  });

  it('is a known screen for every event of every screen, and each screen but the first of a widget can be reached', () => {
    const names = screenNames();
    const reached = new Set(names.flatMap((name) => movesFrom(screen(name)).flatMap(({ to }) => to)));
    expect([...reached].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !reached.has(name))).toEqual(['IDPConsent', 'Account']);
  });
});
