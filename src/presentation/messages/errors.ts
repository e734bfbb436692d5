import { errorText, type AuthError } from '../../domain/errors.ts';
import { reasonOf } from '../../domain/refusals.ts';
import type { ErrorKey, StringOverrides } from './catalogue.ts';
import { errorTexts } from './error-texts.ts';
import { overlaid } from './translate.ts';

/** Long enough for any sentence, short enough to keep the form in sight. */
const MAX_LENGTH = 400;

/** The text in the widget's language or the host's words, else ours in English; null for what has neither. */
function wordsFor(error: AuthError, overrides: StringOverrides | undefined): string | null {
  if (error.kind === 'unreachable') return overlaid(`unreachable.${error.reason}`, overrides);
  const type = error.kind === 'api' ? `error.${error.error_type}` : '';
  const exact = `${type}.${reasonOf(error)}`;
  const key = Object.hasOwn(errorTexts, exact) ? exact : type;
  if (!Object.hasOwn(errorTexts, key)) return null;
  return overlaid(key as ErrorKey, overrides) ?? errorTexts[key as keyof typeof errorTexts];
}

/**
 * The text for an error: by its type, else its own message; null when it has none. Plain text, whatever the server put
 * in it.
 */
export function errorMessage(error: AuthError, overrides: StringOverrides | undefined): string | null {
  const words = wordsFor(error, overrides);
  if (words !== null) return words;
  const said: unknown = errorText(error);
  const own = typeof said === 'string' ? said.trim() : '';
  if (own === '') return null;
  return own.length > MAX_LENGTH ? `${own.slice(0, MAX_LENGTH)}…` : own;
}
