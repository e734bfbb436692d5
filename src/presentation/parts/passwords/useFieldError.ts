import { useState, type RefObject } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { AuthError } from '#domain/errors.ts';
import { rowOf } from '#domain/screens/events.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { blamesPassword } from '#domain/passwords/password-strength.ts';

/**
 * The latest error, until the field is edited. When the server refused the sent password, the focus returns to its field, unless the
 * focus is outside the form.
 */
export function useFieldError(
  field: RefObject<HTMLInputElement | null>,
  { error, failed }: Pick<ScreenState, 'error' | 'failed'>,
): { readonly currentError: AuthError | null; readonly invalid: boolean; readonly edited: () => void } {
  const [past, setPast] = useState<AuthError | null>(null);
  const currentError = error === past ? null : error;
  const invalid = failed !== null && rowOf(failed).secret === 'password' && blamesPassword(currentError);
  useBeforePaint(() => {
    const input = field.current;
    if (!invalid || input === null) return;
    const { activeElement } = input.getRootNode() as Document | ShadowRoot;
    if (activeElement !== null && input.form?.contains(activeElement)) {
      input.focus();
      input.select();
    }
  }, [field, invalid, currentError]);
  return { currentError, invalid, edited: () => setPast(error) };
}
