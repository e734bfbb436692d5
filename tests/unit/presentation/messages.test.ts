import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { SDKAPIUnreachableError, SDKSchemaError, type AuthError } from '#domain/errors.ts';
import { creationError, passkeyError } from '#domain/passkeys/passkey.ts';
import { addTexts, makeTranslate, type Values } from '#presentation/messages/catalogue.ts';
import { login } from '#presentation/messages/en/login.ts';
import { errorMessage } from '#presentation/parts/login/error-message.ts';
import { feedbackText } from '#presentation/parts/passwords/feedback-text.ts';
import { apiError } from '../../gallery/fixtures.ts';
import { warnOfUnknown } from '#presentation/parts/login/mistakes.ts';

addTexts(login);
const t = makeTranslate(undefined);

describe('The catalogue', () => {
  it('does not compile without the values of its placeholders', () => {
    expectTypeOf<Values<'otp.sent'>>().toEqualTypeOf<Readonly<Record<'destination', string>>>();
    // @ts-expect-error destination is missing
    t('otp.sent');
    // @ts-expect-error there is no such value
    t('emailConfirmation.sent', { destination: 'x' });
    // @ts-expect-error this text has no placeholder
    t('otp.title', { destination: 'x' });
    expect(t('otp.sent', { destination: 'x' })).toBe('A 6-digit passcode was sent to you at x.');
  });

  it('inserts a value unchanged, even if it looks like a placeholder', () => {
    expect(t('otp.sent', { destination: '{destination}$&$1' })).toContain(' {destination}$&$1.');
  });

  it('takes a host’s words, and its own where those are no string', () => {
    const strings = {
      'otp.title': 'Code',
      'otp.resend': 7 as never,
      'error.email_not_found': 'Nobody here.',
    };
    const own = makeTranslate(strings);
    expect(own('otp.title')).toBe('Code');
    expect(own('otp.resend')).toBe('Resend code');
    expect(errorMessage(apiError('email_not_found'), strings)).toBe('Nobody here.');
    expect(makeTranslate(JSON.parse('{"__proto__":{"otp.title":"x"}}'))('otp.title')).toBe('Enter passcode');
  });

  it('leaves a placeholder that a host invented as it is written', () => {
    expect(makeTranslate({ 'otp.sent': '{name} {destination}' })('otp.sent', { destination: 'x' })).toBe('{name} x');
  });
});

describe('A server’s feedback on a password', () => {
  it('is found by its sentence, and stays as it came where it is not known', () => {
    const strings = { 'feedback.dates': 'Daten sind leicht zu erraten.' };
    expect(feedbackText('Dates are easy to guess.', strings)).toBe('Daten sind leicht zu erraten.');
    expect(feedbackText('Dates are easy to guess.', undefined)).toBe('Dates are easy to guess.');
    expect(feedbackText('Something new.', strings)).toBe('Something new.');
    const [wire, ours] = ['This is a frequently used password.', 'Many people use this password.'];
    expect(feedbackText(wire, undefined)).toBe(ours);
    expect(feedbackText(wire, { 'feedback.topHundred': 'Popular.' })).toBe('Popular.');
    expect(feedbackText('Repeated characters like "aaa" are easy to guess.', undefined)).toContain('“aaa”');
  });
});

describe('The text of an error', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['invalid_email', 'Email format is invalid.'],
    ['invalid_phone_number', 'Phone number format is invalid. Ensure the phone number is in the E.164 format.'],
    ['unauthorized_credentials', 'Unauthorized credentials.'],
    ['user_unauthenticated', 'Must have an active session to call this method.'],
    ['email_not_found', 'Email not found.'],
    ['no_user_password', 'Password not found for this user.'],
    ['reset_password', 'Password must be reset.'],
    ['oauth_token_not_found', 'OAuth Token could not be found.'],
    ['invalid_code', 'Code format is invalid, please try again.'],
    ['member_password_not_found', 'Member password not found.'],
    ['unauthorized_action', 'Unauthorized action.'],
    ['user_lock_limit_reached', 'Too many failed authentication attempts. Please try again later.'],
    ['invalid_session_token', 'Invalid session token.'],
    ['session_not_found', 'Session not found.'],
    ['otp_code_not_found', 'Invalid passcode, please try again.'],
  ])('%s', (type, words) => {
    expect(errorMessage(apiError(type), undefined)).toBe(words);
  });

  it.each([
    ['unsubscribed_phone_number', 'START'],
    ['inactive_email', 'Use another one'],
    ['unable_to_auth_magic_link', 'already used or has expired'],
    ['breached_password', 'reset'],
    ['oauth_flow_callback_error', 'try again'],
    ['invalid_phone_number_country_code', 'country code'],
    ['duplicate_member_phone_number', 'already exists'],
  ])('%s has a sentence of ours', (type, words) => {
    expect(errorMessage(apiError(type), undefined)).toContain(words);
  });

  it('says of a second factor that is missing what to do', () => {
    const words = errorMessage(apiError('mfa_required'), undefined);
    expect(words).toMatch(/second factor.*Enter a code of your authenticator app first/u);
  });

  it('is in the widget’s language, also where no answer came', () => {
    vi.stubGlobal('navigator', { onLine: true });
    const strings = { 'unreachable.network': 'Niemand da.', 'error.email_not_found': 'Nicht da.' };
    expect(errorMessage(new SDKAPIUnreachableError('network'), strings)).toBe('Niemand da.');
    expect(errorMessage(new SDKAPIUnreachableError('network'), {})).toBe('Unable to contact our servers.');
    expect(errorMessage(apiError('email_not_found'), strings)).toBe('Nicht da.');
  });

  it('says to a person who is offline what to look at', () => {
    vi.stubGlobal('navigator', { onLine: false });
    expect(errorMessage(new SDKAPIUnreachableError('network'), {})).toMatch(
      /^You are offline\. Check your connection/u,
    );
    expect(errorMessage(new SDKAPIUnreachableError('invalid-json'), {})).toMatch(/^Invalid JSON/u);
    vi.stubGlobal('navigator', { onLine: true });
    expect(errorMessage(new SDKAPIUnreachableError('network'), {})).toBe('Unable to contact our servers.');
  });

  it('is that of its ceremony for a passkey that was refused with an unknown type', () => {
    const said = (error: AuthError): string | null => errorMessage(error, undefined);
    expect(said(passkeyError(apiError('teapot'), 'passkey_login_failed'))).toBe(
      'Unknown error occurred during passkey authentication. Please try again.',
    );
    for (const thrown of [() => apiError('teapot'), () => new DOMException('odd', 'OperationError')]) {
      expect(said(creationError(thrown(), 'registration'))).toMatch(/^Your Passkey was not created.*or skip/u);
      const elsewhere = said(creationError(thrown(), 'elsewhere'));
      expect(elsewhere).toMatch(/^Your passkey was not created/u);
      expect(elsewhere).not.toMatch(/authentication|skip|Create a Passkey/iu);
    }
  });

  it('is its own message where no text is known', () => {
    expect(errorMessage(apiError('brand_new', 'Brand new.'), undefined)).toBe('Brand new.');
    expect(errorMessage(new SDKAPIUnreachableError('invalid-json'), undefined)).toBe(
      'Invalid JSON response from our servers.',
    );
    expect(errorMessage(new SDKSchemaError([]), undefined)).toBe('[400] Request does not match expected schema');
  });
});

describe('strings that no text stands under', () => {
  it('are warned of, once for each widget', async () => {
    const warnings: string[] = [];
    const widget = {};
    const judge = async (strings: Record<string, string>, of: object) =>
      warnOfUnknown(strings, of, (message) => warnings.push(message));
    const strings = {
      'main.title': 'Hello',
      'error.invalid_email': 'No',
      'unreachable.network': 'Gone',
      'feedback.dates': 'Dates',
      'consent.allow': 'Yes',
      'mian.title': 'Typo',
    };
    await judge(strings, widget);
    await judge({ ...strings }, widget);
    expect(warnings).toEqual(['strings["mian.title"] is not a text of the widgets.']);
    await judge({ constructor: 'Odd' }, widget);
    await judge(strings, {});
    expect(warnings).toHaveLength(3);
  });
});
