import { errorText, type AuthError } from '../../domain/errors.ts';
import { errorTexts } from './error-texts.ts';
import type { Translate } from './translate.ts';

/** Long enough for any sentence, short enough to keep the form in sight. */
const MAX_LENGTH = 400;

/** The text for an error: by its type, else its own message. Plain text, whatever the server put in it. */
export function errorMessage(error: AuthError, t: Translate): string {
  const key = error.kind === 'api' ? `error.${error.error_type}` : '';
  if (Object.hasOwn(errorTexts, key)) return t(key as keyof typeof errorTexts);
  const said: unknown = errorText(error);
  const own = typeof said === 'string' ? said.trim() : '';
  if (own === '') return t('failure.title');
  return own.length > MAX_LENGTH ? `${own.slice(0, MAX_LENGTH)}…` : own;
}
