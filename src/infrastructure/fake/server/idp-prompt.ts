import type { Session } from '../../../domain/session.ts';
import { Refused, type RefusalType } from './refused.ts';

const WORDS: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account']);
const FRESH_MS = 5 * 60_000;

/** What the provider tells an app that wants no page shown, as it tells it. */
const ERRORS: Partial<Record<RefusalType, string>> = {
  unsupported_response_type: 'unsupported_response_type',
  invalid_scope: 'invalid_scope',
  invalid_prompt: 'invalid_request',
  pkce_code_challenge_required: 'invalid_request',
  user_unauthenticated: 'login_required',
  unauthorized_credentials: 'login_required',
  login_required: 'login_required',
  consent_required: 'consent_required',
};

const wordsOf = (prompt = ''): readonly string[] => prompt.split(' ').filter((word) => word !== '');

/** True when no page may be shown (OpenID Connect Core, section 3.1.2.1). */
export function isSilent(prompt: string | undefined): boolean {
  return wordsOf(prompt).includes('none');
}

/** True when the user is asked whatever they granted; refuses a prompt that is none, or that the login is too old for. */
export function checkPrompt(now: number, prompt: string | undefined, session: Session): boolean {
  const words = wordsOf(prompt);
  if (words.some((word) => !WORDS.has(word)) || (isSilent(prompt) && words.length > 1)) {
    throw new Refused('invalid_prompt');
  }
  const logins = session.authentication_factors.map((factor) => Date.parse(factor.last_authenticated_at));
  if (words.includes('login') && now - Math.max(...logins) >= FRESH_MS) throw new Refused('login_required');
  return words.includes('consent') || words.includes('select_account');
}

/** The refusal as an app is told it; throws what is not the app's to know. */
export function deliverable(thrown: unknown): { readonly error: string } {
  const error = thrown instanceof Refused ? ERRORS[thrown.error_type] : undefined;
  if (error === undefined) throw thrown;
  return { error };
}
