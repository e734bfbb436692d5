import { describe, expect, it } from 'vitest';
import { toAuthError } from '#domain/thrown.ts';
import { loggable } from '#domain/screens/events.ts';
import { hostEvents } from '#domain/screens/events-for-host.ts';
import { loggedEvent } from '#application/telemetry/logged-events.ts';
import type { Intent, WidgetEvent } from '#domain/screens/event.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { nextScreen } from '#domain/screens/transitions.ts';
import { MAX_TOASTS, reduce } from '#domain/screens/reduce.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';

const otp = { type: 'email', methodId: 'm-1', destination: 'ada@example.com', expiresAt: 1 } as const;
const otherOtp = { ...otp, methodId: 'm-2' };
const error = toAuthError(new Error('no'));
const asked: Intent = { type: 'otp/codeEntered', code: '123456' };

describe('the transition table', () => {
  it('keeps the address for the way back, and takes over the new code on a resend', () => {
    expect(nextScreen({ name: 'OTPAuthenticate', otp }, { type: 'back' })).toEqual({
      name: 'Main',
      email: otp.destination,
    });
    expect(nextScreen({ name: 'OTPAuthenticate', otp }, { type: 'otp/resent', otp: otherOtp, reply: {} })).toEqual({
      name: 'OTPAuthenticate',
      otp: otherOtp,
    });
  });

  it('is not fooled by the names of Object', () => {
    const screen: Screen = { name: 'Main', email: '' };
    expect(nextScreen(screen, { type: 'constructor' } as never)).toBe(screen);
  });
});

describe('the widget state', () => {
  const after = (...events: readonly WidgetEvent[]): WidgetState => events.reduce(reduce, INITIAL_STATE);
  const request: Intent = { type: 'otp/requested', method: 'email', destination: otp.destination };

  it('waits on what was asked, and clears the last error', () => {
    const failed = after(request, { type: 'failed', asked: request, error });
    expect(failed).toMatchObject({ pending: null, error });
    expect(reduce(failed, request)).toMatchObject({ pending: 'otp/requested', error: null });
    expect(after(request, { type: 'otp/sent', otp, reply: {} })).toMatchObject({ pending: null, error: null });
  });

  it('ignores the failure of a request that is no longer awaited', () => {
    const state = after(request, { type: 'back' });
    expect(reduce(state, { type: 'failed', asked: request, error })).toBe(state);
  });

  it('keeps an error until the code is edited', () => {
    const entered = after(request, { type: 'otp/sent', otp, reply: {} }, asked, { type: 'failed', asked, error });
    expect(entered).toMatchObject({ screen: { name: 'OTPAuthenticate' }, error });
    expect(reduce(entered, { type: 'otp/codeEdited' }).error).toBeNull();
  });

  it('reports a failed resend in a toast until the next try, and shows at most twenty', () => {
    const resend: Intent = { type: 'otp/resendRequested' };
    const failed: WidgetEvent = { type: 'failed', asked: resend, error };
    const once = after(resend, failed);
    expect(once).toMatchObject({ error: null, toasts: [{ id: 2, kind: 'error', error }] });
    expect(reduce(once, { type: 'toast/dismissed', id: 2 }).toasts).toEqual([]);
    expect(after(resend, failed, resend).toasts.map(({ kind }) => kind)).toEqual(['loading']);
    expect(after(resend, failed, resend, failed).toasts).toHaveLength(1);
    const { toasts } = after(...Array.from({ length: 25 }, () => ({ type: 'password/resent', reply: {} }) as const));
    expect(toasts).toHaveLength(MAX_TOASTS);
    expect(toasts[0]?.id).toBe(6);
  });

  it('shows in a toast that a request outside the form is in progress, until it ends or is abandoned', () => {
    const resend: Intent = { type: 'password/resendRequested', email: 'a@b.co' };
    const screen: Screen = { name: 'PasswordForgot', email: 'a@b.co' };
    const kinds = (...events: readonly WidgetEvent[]) =>
      events.reduce(reduce, { ...INITIAL_STATE, screen }).toasts.map(({ kind }) => kind);
    expect(kinds(resend)).toEqual(['loading']);
    expect(kinds(resend, { type: 'password/resent', reply: {} })).toEqual(['success']);
    expect(kinds(resend, { type: 'back' })).toEqual([]);
    expect(kinds({ type: 'otp/requested', method: 'email', destination: 'a@b.co' })).toEqual([]);
  });

  it('is covered while a session that was found is checked', () => {
    expect(after({ type: 'session/checking', checking: true }).loading).toBe(true);
    expect(
      after({ type: 'session/checking', checking: true }, { type: 'session/checking', checking: false }).loading,
    ).toBe(false);
  });
});

describe('the events for the host', () => {
  it('is the reply, with the address for a magic link', () => {
    const reply = { status_code: 200 };
    expect(hostEvents({ type: 'magicLink/sent', email: 'a@b.co', reply }, 'EmailConfirmation')).toEqual([
      { type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { status_code: 200, email: 'a@b.co' } },
    ]);
    expect(hostEvents({ type: 'otp/resent', otp, reply }, 'OTPAuthenticate')).toEqual([
      { type: 'OTP_LOGIN_OR_CREATE', data: reply },
    ]);
  });

  it('is that the flow is complete, once the code is verified or a session appeared on a login screen', () => {
    expect(hostEvents({ type: 'otp/verified', reply: {} }, 'OTPConfirmation').map(({ type }) => type)).toEqual([
      'OTP_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
    expect(hostEvents({ type: 'session/appeared' }, 'AuthenticateFlowComplete')).toHaveLength(1);
    expect(hostEvents({ type: 'session/appeared' }, 'OTPConfirmation')).toEqual([]);
    expect(hostEvents({ type: 'back' }, 'Main')).toEqual([]);
  });
});

describe('the logged events', () => {
  it('is the sending of an email, and trying again with its address', () => {
    const from: Screen = { name: 'EmailConfirmation', email: 'a@b.co' };
    const details = { email: 'a@b.co', type: 'login_or_create_eml' };
    expect(loggedEvent({ type: 'magicLink/tryAgain' }, from, {})).toEqual({ name: 'email_try_again_clicked', details });
    expect(
      loggedEvent({ type: 'magicLink/sent', email: 'a@b.co', reply: {} }, { name: 'Main', email: '' }, {}),
    ).toEqual({
      name: 'email_sent',
      details,
    });
  });

  it('is an emailed code and its resend; a text message is not', () => {
    const details = { email: 'a@b.co', type: 'login_or_create_otp' };
    const code = { ...otp, type: 'email', destination: 'a@b.co' } as const;
    const message = { kind: 'code', otp: code } as const;
    const forms: readonly Screen[] = [
      { name: 'OTPAuthenticate', otp: code },
      { name: 'PasswordCreateOrLogin', email: 'a@b.co', userType: 'passwordless', message },
    ];
    for (const from of forms) {
      const again = { name: 'email_try_again_clicked', details };
      expect(loggedEvent({ type: 'otp/resendRequested' }, from, {})).toEqual(again);
      const sent = { name: 'email_sent', details };
      expect(loggedEvent({ type: 'otp/sent', otp: code, reply: {} }, from, {})).toEqual(sent);
      expect(loggedEvent({ type: 'otp/resent', otp: code, reply: {} }, from, {})).toEqual(sent);
      const mailed = { type: 'password/passwordlessSent', email: 'a@b.co', message, reply: {} } as const;
      expect(loggedEvent(mailed, from, {})).toEqual(sent);
    }
    const text = { ...otp, type: 'sms', destination: '+14155552671' } as const;
    const from: Screen = { name: 'OTPAuthenticate', otp: text };
    expect(loggedEvent({ type: 'otp/sent', otp: text, reply: {} }, from, {})).toBeNull();
    expect(loggedEvent({ type: 'otp/resendRequested' }, from, {})).toBeNull();
    expect(loggedEvent({ type: 'password/resendRequested', email: 'a@b.co' }, from, {})).toEqual({
      name: 'email_try_again_clicked',
      details: { email: 'a@b.co', type: 'reset_password' },
    });
  });

  it('is nothing that holds a code', () => {
    expect(loggable(asked)).toBeNull();
  });
});
