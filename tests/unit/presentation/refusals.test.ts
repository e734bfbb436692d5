import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/domain/widget/language.ts';
import { wayOutOf, type WayOut } from '../../../src/domain/screens/ways-out.ts';
import { REFUSALS, type RefusalType } from '../../../src/domain/rules/refusal.ts';
import { errorMessage } from '../../../src/presentation/parts/login/error-message.ts';
import { loadLocale, localeOf } from '../../../src/presentation/messages/language.ts';
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
/** What the wire says of it: nothing that a person should have to read. */
const refused = (type: RefusalType) => apiError(type, REFUSALS[type][1], REFUSALS[type][0]);
const TELLS: ReadonlySet<WayOut | null> = new Set(['tell']);

describe('Every refusal of the provider that a person can meet', () => {
  it.each(TYPES)('%s has one way out', (type) => {
    expect(wayOutOf(refused(type))).not.toBeNull();
  });

  it.each(LANGUAGES)('has words for a person in %s, not the wire’s', async (language) => {
    await loadLocale(language);
    const strings = localeOf(language) ?? {};
    for (const type of TYPES) {
      // It is no JSON, so that no client ever has it as a refusal.
      if (type === 'captcha_required') continue;
      const said = errorMessage(refused(type), strings) ?? '';
      const wire: string = REFUSALS[type][1];
      // A way in that the server does not have is one that a person leaves.
      if (TELLS.has(wayOutOf(refused(type))) && type !== 'route_not_found') {
        // Only who made the app can help; they are told what the server said.
        expect(said, type).toContain(wire);
        expect(said.length, type).toBeGreaterThan(wire.length + 20);
      } else {
        expect(['', wire], type).not.toContain(said);
      }
    }
  });

  it('shows the reason of a dead passcode, and has words for every reason', () => {
    const said = ['wrong', 'expired', 'tries_used', 'replaced'].map((reason) =>
      errorMessage(apiError('otp_code_not_found', 'No.', 404, { reason }), undefined),
    );
    expect(new Set(said).size).toBe(4);
    expect(said[0]).toBe('Invalid passcode, please try again.');
  });
});
