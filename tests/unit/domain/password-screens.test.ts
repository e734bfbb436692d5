import { describe, expect, it } from 'vitest';
import { toAuthError } from '#domain/thrown.ts';
import { isHeldBack, loggable } from '#domain/screens/events.ts';
import { hostEvents } from '#domain/screens/events-for-host.ts';
import { loggedEvent } from '#application/telemetry/logged-events.ts';
import { strengthFrom } from '#domain/passwords/password-strength.ts';
import type { EventOf, ResetMailScreen, WidgetEvent } from '#domain/screens/event.ts';
import { PART_OF } from '#presentation/parts/parts.ts';
import { sentOtpOf, type Screen } from '#domain/screens/screen.ts';
import { nextScreen } from '#domain/screens/transitions.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';

const email = 'ada@example.com';
const otp = { type: 'email', methodId: 'm-1', destination: email, expiresAt: 1 } as const;
const other = { ...otp, methodId: 'm-2' };
const reply = { status_code: 200 };
const error = toAuthError(new Error('no'));

const FORM: Screen = { name: 'PasswordCreateOrLogin', email, userType: 'new' };
const SENDING: Screen = { name: 'PasswordCreateOrLogin', email, userType: 'passwordless', message: null };
const CODE: Screen = { ...SENDING, message: { kind: 'code', otp } };
const RESET: Screen = { name: 'PasswordResetForm', tokenType: 'reset' };
const MAILED: readonly Screen[] = [
  { name: 'PasswordForgot', email },
  { name: 'PasswordDedupe', email, reason: 'required' },
  { name: 'PasswordBreached', email },
  { name: 'PasswordSetNew', email },
];
const ALL: readonly Screen[] = [FORM, SENDING, CODE, RESET, ...MAILED, { name: 'PasswordConfirmation' }];

const mailed = (
  to: ResetMailScreen,
  reason: 'breached' | 'required' = 'required',
): EventOf<'password/resetMailed'> => ({
  type: 'password/resetMailed',
  email,
  to,
  reason,
  reply,
});

describe('the password screens', () => {
  it('begin at Main, by what the search says of the address', () => {
    const main: Screen = { name: 'Main', email: '' };
    for (const userType of ['new', 'password'] as const) {
      const found = nextScreen(main, { type: 'password/userFound', email, userType });
      expect(found).toEqual({ name: 'PasswordCreateOrLogin', email, userType });
    }
    expect(nextScreen(main, { type: 'password/userFound', email, userType: 'passwordless' })).toEqual(SENDING);
  });

  it('end in the confirmation', () => {
    expect(nextScreen(FORM, { type: 'password/created', reply }).name).toBe('PasswordConfirmation');
    expect(nextScreen(FORM, { type: 'password/loggedIn', reply }).name).toBe('PasswordConfirmation');
    expect(nextScreen(RESET, { type: 'password/reset', reply }).name).toBe('PasswordConfirmation');
    const link: Screen = { name: 'PasswordResetForm', tokenType: 'login' };
    expect(nextScreen(link, { type: 'resetLink/verified', reply }).name).toBe('AuthenticateFlowComplete');
    expect(nextScreen(CODE, { type: 'otp/verified', reply }).name).toBe('OTPConfirmation');
  });

  it.each(['PasswordForgot', 'PasswordBreached', 'PasswordSetNew'] as const)(
    'lead to %s when its reset mail is out',
    (to) => {
      expect(nextScreen(FORM, mailed(to))).toEqual({ name: to, email });
    },
  );

  it('say on PasswordDedupe why', () => {
    const to = nextScreen(FORM, mailed('PasswordDedupe', 'breached'));
    expect(to).toEqual({ name: 'PasswordDedupe', email, reason: 'breached' });
  });

  it.each([FORM, SENDING, CODE, ...MAILED])('lead back to Main with the address: $name', (screen) => {
    expect(nextScreen(screen, { type: 'back' })).toEqual({ name: 'Main', email });
  });

  it('lead from the reset form to an empty Main, for no address is known', () => {
    expect(nextScreen(RESET, { type: 'back' })).toEqual({ name: 'Main', email: '' });
  });

  it.each([FORM, ...MAILED])('lead to a login without a password: $name', (screen) => {
    expect(nextScreen(screen, { type: 'magicLink/sent', email, reply }).name).toBe('EmailConfirmation');
    expect(nextScreen(screen, { type: 'otp/sent', otp, reply }).name).toBe('OTPAuthenticate');
  });

  it('take in what was sent by itself, and a new code in its place', () => {
    const sent = { type: 'password/passwordlessSent', email, message: { kind: 'code', otp }, reply } as const;
    expect(nextScreen(SENDING, sent)).toEqual(CODE);
    expect(nextScreen(FORM, sent)).toBe(FORM);
    const resent = nextScreen(CODE, { type: 'otp/resent', otp: other, reply });
    expect(sentOtpOf(resent)).toEqual(other);
    expect([FORM, SENDING, ...MAILED].map(sentOtpOf)).toEqual(Array.from({ length: 6 }, () => null));
  });

  it('follow a login in another tab, but for the page of a reset email', () => {
    for (const screen of ALL) {
      const to = nextScreen(screen, { type: 'session/appeared' });
      const follows = screen.name !== 'PasswordResetForm' && screen.name !== 'PasswordConfirmation';
      expect(to.name).toBe(follows ? 'AuthenticateFlowComplete' : screen.name);
    }
  });

  it('all come in the part that is loaded for passwords', () => {
    for (const { name } of ALL) if (name !== 'Main') expect(PART_OF[name]).toBe('passwords');
  });
});

describe('the state around a password', () => {
  const at = (screen: Screen, ...events: readonly WidgetEvent[]): WidgetState =>
    events.reduce(reduce, { ...INITIAL_STATE, screen });
  const edited = (check: number): WidgetEvent => ({ type: 'password/edited', check, email, password: 'secret' });
  const strength = strengthFrom({ valid_password: true, score: 4 });

  it('knows nothing of a password that has just been typed, and never the password', () => {
    const state = at(FORM, edited(1));
    expect(state.strength).toEqual({ check: 1, estimate: null, strength: null, error: null });
    expect(JSON.stringify(state)).not.toContain('secret');
  });

  it('takes answers about the last edit alone', () => {
    const state = at(FORM, edited(1), edited(2), { type: 'password/checked', check: 1, strength });
    expect(state.strength).toMatchObject({ check: 2, strength: null });
    const known = at(FORM, edited(2), { type: 'password/estimated', check: 2, score: 3 });
    expect(known.strength).toMatchObject({ estimate: 3, strength: null });
    expect(reduce(known, { type: 'password/checked', check: 2, strength }).strength).toMatchObject({ strength });
    expect(reduce(known, { type: 'password/estimated', check: 3, score: 0 })).toBe(known);
  });

  it('keeps apart that a check failed: nothing is refused, and the next edit begins anew', () => {
    const asked = { type: 'password/edited', check: 1, email, password: '' } as const;
    const state = at(FORM, edited(1), { type: 'failed', asked, error });
    expect(state).toMatchObject({ error: null, strength: { error, strength: null } });
    expect(reduce(state, edited(2)).strength?.error).toBeNull();
    expect(at(FORM, edited(2), { type: 'failed', asked, error }).strength?.error).toBeNull();
  });

  it('forgets what it knew with the screen', () => {
    expect(at(FORM, edited(1), { type: 'back' }).strength).toBeNull();
  });

  it('waits for the automatic message to a user without a password, and for nothing with others', () => {
    const main: Screen = { name: 'Main', email: '' };
    const entered: WidgetEvent = { type: 'password/emailEntered', email };
    const found = (userType: 'new' | 'passwordless'): WidgetEvent => ({ type: 'password/userFound', email, userType });
    expect(at(main, entered, found('new')).pending).toBeNull();
    const sending = at(main, entered, found('passwordless'));
    expect(sending).toMatchObject({ screen: SENDING, pending: 'password/passwordlessRequested' });
    expect(isHeldBack(sending, { type: 'password/insteadRequested', email })).toBe(true);
    expect(isHeldBack(sending, { type: 'back' })).toBe(false);
    expect(at({ name: 'AuthenticateFlowComplete' }, found('passwordless')).pending).toBeNull();
  });

  it('shows in a toast that an email was sent again', () => {
    const [forgot] = MAILED as [Screen];
    const asked: WidgetEvent = { type: 'password/resendRequested', email };
    const state = at(forgot, asked, { type: 'password/resent', reply });
    expect(state).toMatchObject({ pending: null, toasts: [{ kind: 'success', text: 'emailResent' }] });
    expect(at(forgot, asked, { type: 'failed', asked, error })).toMatchObject({
      error: null,
      toasts: [{ kind: 'error', error }],
    });
    const link: Screen = { ...SENDING, message: { kind: 'link' } };
    const again = { type: 'password/passwordlessSent', email, message: { kind: 'link' }, reply } as const;
    expect(at(SENDING, again).toasts).toEqual([]);
    expect(at(link, again).toasts).toMatchObject([{ text: 'emailResent' }]);
  });
});

describe('the events of passwords', () => {
  const types = (event: WidgetEvent): readonly string[] =>
    hostEvents(event, 'PasswordConfirmation').map(({ type }) => type);

  it('to the host: the calls, and that the flow is complete', () => {
    expect(types({ type: 'password/created', reply })).toEqual(['PASSWORD_CREATE', 'AUTHENTICATE_FLOW_COMPLETE']);
    expect(types({ type: 'password/loggedIn', reply })).toEqual([
      'PASSWORD_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
    expect(types({ type: 'password/reset', reply })).toEqual(['PASSWORD_RESET_BY_EMAIL', 'AUTHENTICATE_FLOW_COMPLETE']);
    expect(types({ type: 'resetLink/verified', reply })).toEqual(['AUTHENTICATE_FLOW_COMPLETE']);
    expect(types(mailed('PasswordForgot'))).toEqual(['PASSWORD_RESET_BY_EMAIL_START']);
    expect(types({ type: 'password/resent', reply })).toEqual(['PASSWORD_RESET_BY_EMAIL_START']);
    expect(hostEvents({ type: 'password/created', reply }, 'PasswordConfirmation')[0]?.data).toBe(reply);
  });

  it('to the host: a link or a code that went out by itself', () => {
    const link: WidgetEvent = { type: 'password/passwordlessSent', email, message: { kind: 'link' }, reply };
    expect(hostEvents(link, 'PasswordCreateOrLogin')).toEqual([
      { type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { status_code: 200, email } },
    ]);
    const code: WidgetEvent = { ...link, message: { kind: 'code', otp } };
    expect(types(code)).toEqual(['OTP_LOGIN_OR_CREATE']);
  });

  it('to the log: the mails alone', () => {
    const sent = (type: string) => ({ name: 'email_sent', details: { email, type } });
    expect(loggedEvent(mailed('PasswordSetNew'), FORM, {})).toEqual(sent('reset_password'));
    expect(loggedEvent({ type: 'password/resent', reply }, MAILED[0] as Screen, {})).toEqual(sent('reset_password'));
    const link = { type: 'password/passwordlessSent', email, message: { kind: 'link' }, reply } as const;
    expect(loggedEvent(link, SENDING, {})).toEqual(sent('login_or_create_eml'));
    expect(loggable({ type: 'password/loginRequested', email, password: 'secret' })).toBeNull();
  });
});
