import { useRef, useState, type SyntheticEvent } from 'react';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { sendsPassword, useFieldError } from './useFieldError.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { EmailOption } from './EmailOption.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { KnownEmail } from './KnownEmail.tsx';
import { PasswordField } from './PasswordField.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

interface Props {
  readonly email: string;
  readonly state: ScreenState;
}

/** The form for a user with a password. */
export function PasswordLogin({ email, state }: Props) {
  const { model, t } = useWidget();
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { currentError, invalid, edited } = useFieldError(field, state.error, sendsPassword(state.failed));
  const { pending } = state;
  const id = useOwnId();

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (model.getState().pending !== null) return;
    const password = field.current?.value ?? '';
    setMissing(password === '');
    if (password === '') field.current?.focus();
    else model.send({ type: 'password/loginRequested', email, password });
  };

  return (
    <ScreenFrame title={t('passwordLogin.title')} onBack={() => model.send({ type: 'back' })}>
      <form data-part="form" noValidate onSubmit={submit}>
        <KnownEmail email={email} />
        <PasswordField
          field={field}
          label={t('password.field')}
          autoComplete="current-password"
          invalid={missing || invalid}
          describedBy={`${id}-missing ${id}-error`}
          waiting={pending === 'password/loginRequested'}
          onEdit={() => {
            setMissing(false);
            edited();
          }}
        />
        <p data-part="field-error" id={`${id}-missing`} role="alert">
          {missing && t('password.required')}
        </p>
        <Button look="primary" type="submit" busy={pending === 'password/loginRequested'} off={pending !== null}>
          {t('password.continue')}
        </Button>
        <div id={`${id}-error`}>
          <ErrorBanner error={currentError} />
        </div>
        <p data-part="again">
          <Button
            look="link"
            busy={pending === 'password/forgotten'}
            off={pending !== null}
            onPress={() => model.send({ type: 'password/forgotten', email })}
          >
            {t('passwordLogin.forgot')}
          </Button>
        </p>
      </form>
      <EmailOption email={email} pending={pending} />
    </ScreenFrame>
  );
}
