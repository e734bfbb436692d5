import { useRef, useState, type SyntheticEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { DEFAULT_LUDS, ludsOf, type LudsRequirements } from '#domain/passwords/password-strength.ts';
import { useFieldError } from './useFieldError.ts';
import { takeFocus } from '../../hooks/focus.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import type { NewPasswordProps } from '../parts.ts';
import { PasswordField } from './PasswordField.tsx';
import { Suggestion } from './Suggestion.tsx';
import { PasswordStrength } from './PasswordStrength.tsx';

/**
 * A form for a new password. It is submitted only after the server has accepted exactly this password (section 5). A form that is
 * sent during the check waits for the answer, and is then submitted automatically unless the password was edited.
 */
export function NewPasswordForm(props: NewPasswordProps) {
  const { email, label, busy, onSubmit, note, children } = props;
  const { id, model, config, t, announce } = useWidget();
  const [luds, setLuds] = useState<LudsRequirements | null>(null);
  /** The number of the check that a submitted form waits for. */
  const [awaited, setAwaited] = useState<number | null>(null);
  const [reveals, setReveals] = useState(0);
  /** The form was submitted with an unacceptable password, which has not been edited since. */
  const [isRefused, setRefused] = useState(false);
  const handledCheck = useRef<number | null>(null);
  /** The number of the last check. The state has no such check until the code for it has loaded. */
  const last = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  const reasons = useRef<HTMLDivElement>(null);
  const { currentError, invalid, edited } = useFieldError(field, props.error, props.isOfPassword);
  const { passwordConfig } = useBootstrap();
  const policy = passwordConfig ?? DEFAULT_LUDS;
  const isWaiting = busy || props.off;

  const edit = (password: string): number => {
    edited();
    setRefused(false);
    setAwaited(null);
    // Only facts about the password are stored, never the password.
    setLuds(password === '' ? null : ludsOf(password, policy));
    const check = Math.max(last.current, model.getState().strength?.check ?? 0) + 1;
    last.current = check;
    model.send({ type: 'password/edited', check, email, password });
    return check;
  };

  const useSuggested = (phrase: string): void => {
    const input = field.current;
    if (input === null) return;
    input.value = phrase;
    setReveals(reveals + 1);
    input.focus();
    edit(phrase);
  };

  const currentCheck = luds === null ? null : props.strength;
  const isValid = currentCheck?.strength?.valid_password === true;
  const isDecided =
    currentCheck !== null &&
    currentCheck.check === awaited &&
    (currentCheck.error !== null || currentCheck.strength !== null);
  const waits = awaited !== null && !isDecided;
  const turnedDown = isDecided && currentCheck.strength?.valid_password === false;

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const { strength } = model.getState();
    const password = field.current?.value ?? '';
    if (isWaiting) return;
    const check = strength?.check === last.current ? strength : null;
    if (password === '' || check?.strength?.valid_password === false) {
      setRefused(true);
      field.current?.focus();
      announce(password === '' ? t('password.required') : (reasons.current?.textContent ?? ''));
      return;
    }
    if (check !== null && check.strength !== null) {
      onSubmit(password);
      return;
    }
    setAwaited(check !== null && check.error === null ? check.check : edit(password));
    announce(t('strength.checking'));
  };

  useBeforePaint(() => {
    // While another request is pending, the form waits for its end.
    if (awaited === null || waits || isWaiting || handledCheck.current === awaited) return;
    handledCheck.current = awaited;
    const password = field.current?.value ?? '';
    const { strength } = model.getState();
    if (strength?.check !== awaited || password === '') return;
    if (isValid) onSubmit(password);
    // The reasons are announced with the answer.
    else if (strength.strength !== null && field.current !== null) takeFocus(field.current);
  }, [awaited, waits, isValid, isWaiting, model, onSubmit]);

  const off = isWaiting || (!isValid && 'heard');
  return (
    <form data-part="form" method="dialog" noValidate onSubmit={submit}>
      {children}
      <PasswordField
        field={field}
        label={label}
        autoComplete="new-password"
        invalid={invalid || isRefused || turnedDown}
        describedBy={`${id}-strength ${id}-error`}
        waiting={busy}
        reveals={reveals}
        onEdit={edit}
      />
      {config.passwordOptions?.suggestPassphrase !== false && (
        <Suggestion policy={passwordConfig} off={isWaiting} onUse={useSuggested} />
      )}
      <div ref={reasons} id={`${id}-strength`}>
        {isRefused && luds === null && <p data-part="field-error">{t('password.required')}</p>}
        <PasswordStrength
          check={currentCheck}
          luds={luds}
          policy={policy}
          prefersLuds={passwordConfig !== null}
          retry={() => edit(field.current?.value ?? '')}
        />
      </div>
      {note}
      <Button look="primary" type="submit" busy={busy || waits} off={off}>
        {t('password.continue')}
      </Button>
      <div id={`${id}-error`}>
        <ErrorBanner error={currentError} />
      </div>
    </form>
  );
}
