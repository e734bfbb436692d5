import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/widget/language.ts';
import { wayOutOf } from '#domain/screens/ways-out.ts';
import { Refusal, REFUSALS, textOf, type RefusalType } from '#domain/rules/refusal.ts';
import { errorTexts } from '#presentation/messages/en/errors.ts';
import { errorMessage } from '#presentation/parts/login/error-message.ts';
import { loadLocale, localeOf } from '#presentation/messages/language.ts';
import { apiError } from '../../gallery/fixture.ts';

/** What only the backend API and the operators' commands answer: no person who logs in gets it. */
const OF_BACKENDS: ReadonlySet<string> = new Set<RefusalType>([
  'attributes_mismatch',
  'bad_request',
  'browser_not_allowed',
  'connected_app_read_only',
  'duplicate_client_id',
  'duplicate_external_id',
  'external_id_not_found',
  'invalid_external_id',
  'invalid_hash',
  'invalid_role',
  'invalid_session_custom_claims',
  'invite_not_found',
  'm2m_client_not_found',
  'message_not_found',
  'not_exactly_one_factor',
  'operator_not_found',
  'password_not_found',
  'project_not_found',
  'project_secret_not_found',
  'public_client_has_no_secret',
  'rate_limit_exceeded',
  'secret_rotation_already_started',
  'secret_rotation_not_started',
  'session_authorization_error',
  'session_migration_not_configured',
  'session_of_another_user',
  'too_many_project_secrets',
  'weak_client_secret',
]);
/** What the transport of bound sessions answers itself, and clients without it never meet: their sessions are not bound. */
const OF_PROOFS: ReadonlySet<string> = new Set<RefusalType>([
  'session_proof_required',
  'invalid_dpop_proof',
  'use_dpop_nonce',
]);
const TYPES = (Object.keys(REFUSALS) as RefusalType[]).filter((type) => !OF_BACKENDS.has(type) && !OF_PROOFS.has(type));
/** The reply of our server to a browser. */
const refused = (type: RefusalType) => apiError(type, textOf(new Refusal(type)), REFUSALS[type][0]);
const SPECIFIED = new Set(Object.keys(errorTexts).map((key) => key.split('.')[1]));
/** What only the developers of the app can correct. */
const isOfApp = (type: RefusalType): boolean => wayOutOf(refused(type)) === 'tell';

describe('Every refusal of the provider that a person can meet', () => {
  it.each(TYPES)('%s has one way out', (type) => {
    expect(wayOutOf(refused(type))).not.toBeNull();
  });

  it('has the text of the specification, or the message of the server, in English', () => {
    for (const type of TYPES) {
      if (type === 'captcha_required') continue;
      const { error_message } = refused(type);
      const said = errorMessage(refused(type), undefined);
      if (SPECIFIED.has(type))
        expect([type, said]).toEqual([type, errorTexts[`error.${type}` as keyof typeof errorTexts]]);
      else expect([type, said]).toEqual([type, error_message]);
    }
  });

  it.each(['totally_new', 'connected_app_not_found', 'invalid_redirect_uri', 'too_many_requests', 'pkce_mismatch'])(
    'of any server has its own message in English, on the page of an app too (%s)',
    (type) => {
      const message = `A server elsewhere refuses: ${type}.`;
      for (const ofApp of [true, false]) expect(errorMessage(apiError(type, message), undefined, ofApp)).toBe(message);
    },
  );

  it('of an app that the server does not know is a mistake of that app on its page, and else a thing that is gone', () => {
    const texts = { 'error.app': 'Tell the developers: {message}', 'error.gone': 'It is gone.' };
    const error = apiError('connected_app_not_found', 'No such app.', 404);
    expect(errorMessage(error, texts, true)).toBe('Tell the developers: No such app.');
    expect(errorMessage(error, texts)).toBe('It is gone.');
  });

  it('has a message for a person, unless the app has to be corrected', () => {
    const technical = TYPES.filter(
      (type) => !SPECIFIED.has(type) && !isOfApp(type) && textOf(new Refusal(type)) === REFUSALS[type][1],
    );
    expect(technical).toEqual(['connected_app_not_found', 'captcha_required']);
  });

  it.each(LANGUAGES.filter((language) => language !== 'en'))('has words for a person in %s', async (language) => {
    await loadLocale(language);
    const strings = localeOf(language) ?? {};
    for (const type of TYPES) {
      // It is no JSON, so that no client ever has it as a refusal.
      if (type === 'captcha_required') continue;
      const said = errorMessage(refused(type), strings) ?? '';
      const { error_message } = refused(type);
      if (isOfApp(type) && type !== 'route_not_found') {
        // Only the developers of the app can help; they get the message of the server.
        expect(said, type).toContain(error_message);
        expect(said.length, type).toBeGreaterThan(error_message.length + 10);
      } else {
        expect(['', error_message], type).not.toContain(said);
      }
    }
  });

  it.each(['en', 'de'] as const)('of a hook shows the words of the site as they are, in %s', async (language) => {
    await loadLocale(language);
    const words = 'Your company has not booked this service: {message}';
    const error = apiError('hook_refused', words, 403, { reason: 'own_words' });
    expect(errorMessage(error, localeOf(language) ?? {})).toBe(words);
    expect(wayOutOf(error)).toBe('start');
  });

  it('shows the reason of a dead passcode, and has words for every reason', () => {
    const said = ['wrong', 'expired', 'tries_used', 'replaced'].map((reason) =>
      errorMessage(apiError('otp_code_not_found', 'No.', 404, { reason }), undefined),
    );
    expect(new Set(said).size).toBe(4);
    expect(said[0]).toBe('Invalid passcode, please try again.');
  });
});
