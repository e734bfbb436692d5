import { useState, type RefObject } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { AuthError } from '#domain/errors.ts';
import { rowOf } from '#domain/screens/events.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { blamesPassword } from '#domain/passwords/password-strength.ts';

/** True for a request that sent a password. */
export const sendsPassword = (request: ScreenState['failed']): boolean =>
  request !== null && rowOf(request).secret === 'password';

/**
 * The latest error, until the field is edited. When the server refused the sent password, the focus returns to its field, unless the
 * focus is outside the form.
 *
 * @param isOfPassword whether the error is of a request that sent a password
 */
export function useFieldError(
  field: RefObject<HTMLInputElement | null>,
  error: AuthError | null,
  isOfPassword: boolean,
): { readonly currentError: AuthError | null; readonly invalid: boolean; readonly edited: () => void } {
  const [past, setPast] = useState<AuthError | null>(null);
  const currentError = error === past ? null : error;
  const invalid = isOfPassword && blamesPassword(currentError);
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
