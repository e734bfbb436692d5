import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { DEFAULT_LUDS, ludsOf, type LudsRequirements } from '../../domain/password-strength.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { useFieldError } from '../hooks/useFieldError.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';
import { ErrorBanner } from './ErrorBanner.tsx';
import { PasswordField } from './PasswordField.tsx';
import { PasswordStrength } from './PasswordStrength.tsx';

interface Props {
  /** Whose password it will be, or empty where that is not known. */
  readonly email: string;
  readonly label: string;
  readonly state: WidgetState;
  readonly busy: boolean;
  readonly onSubmit: (password: string) => void;
  readonly children?: ReactNode;
}

/** A form for a new password. It is taken only when the server has found just this one good enough (section 5). */
export function NewPasswordForm({ email, label, state, busy, onSubmit, children }: Props) {
  const { model, t } = useWidget();
  const [luds, setLuds] = useState<LudsRequirements | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { shown, invalid, edited } = useFieldError(field, state.error);
  const id = useId();
  const policy = state.bootstrap.passwordConfig ?? DEFAULT_LUDS;

  const edit = (password: string): void => {
    edited();
    // What can be told of it, not the password, is what is kept.
    setLuds(password === '' ? null : ludsOf(password, policy));
    model.send({ type: 'password/edited', check: (model.getState().strength?.check ?? 0) + 1, email, password });
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { pending, strength } = model.getState();
    const password = field.current?.value ?? '';
    if (pending !== null || password === '' || strength?.strength?.valid_password !== true) return;
    onSubmit(password);
  };

  const ready = luds !== null && state.strength?.strength?.valid_password === true;
  return (
    <form data-part="form" noValidate onSubmit={submit}>
      {children}
      <PasswordField
        field={field}
        label={label}
        autoComplete="new-password"
        invalid={invalid}
        describedBy={`${id}-strength ${id}-error`}
        waiting={busy}
        onEdit={edit}
      />
      <div id={`${id}-strength`}>
        <PasswordStrength
          known={luds === null ? null : state.strength}
          luds={luds}
          policy={policy}
          prefersLuds={state.bootstrap.passwordConfig !== null}
          retry={() => edit(field.current?.value ?? '')}
        />
      </div>
      <Button look="primary" type="submit" busy={busy} off={!ready || state.pending !== null}>
        {t('password.continue')}
      </Button>
      <div id={`${id}-error`}>
        <ErrorBanner error={shown} />
      </div>
    </form>
  );
}
