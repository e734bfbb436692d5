import { Refusal, type RefusalType } from '../http/refusal.ts';

/** RFC 6749, section 4.1.2.1, and OpenID Connect Core, section 3.1.2.6. */
const ERRORS: Partial<Record<RefusalType, string>> = {
  unsupported_response_type: 'unsupported_response_type',
  invalid_scope: 'invalid_scope',
  invalid_prompt: 'invalid_request',
  invalid_max_age: 'invalid_request',
  unsupported_code_challenge_method: 'invalid_request',
  pkce_code_challenge_required: 'invalid_request',
  invalid_code_challenge: 'invalid_request',
  user_unauthenticated: 'login_required',
  unauthorized_credentials: 'login_required',
  login_required: 'login_required',
  mfa_required: 'interaction_required',
  consent_required: 'consent_required',
};

/**
 * The refusal as an authorization response, or null for one that is not the app's to know. Only for an app and a redirect
 * URI that were checked.
 */
export function deliverable(thrown: unknown): { readonly error: string; readonly error_description: string } | null {
  const error = thrown instanceof Refusal ? ERRORS[thrown.type] : undefined;
  return error === undefined ? null : { error, error_description: (thrown as Refusal).message };
}
