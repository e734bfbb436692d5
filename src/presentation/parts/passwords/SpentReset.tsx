import { useRef, useState, type SyntheticEvent } from 'react';
import { isEmail, typedEmail } from '#domain/contacts/email.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { TextField } from '../../components/TextField.tsx';
import { EmailHint } from '../login/EmailHint.tsx';

/** The reset page for a used or expired link: offers another email before the user chooses a password. */
export function SpentReset({ state: { error, failed, pending } }: { readonly state: ScreenState }) {
  const { model, t } = useWidget();
  const [invalid, setInvalid] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useOwnId();
  const isOwn = pending === 'password/forgotten';
  // The title already says that the link is used up. Only the refusal of another request is new.
  const isOfLink = failed === 'password/resetSubmitted' || failed === 'resetLink/opened';
  const isKnown = isOfLink && error?.kind === 'api' && error.error_type === 'unable_to_auth_magic_link';

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (model.getState().pending !== null) return;
    const email = typedEmail(field.current?.value ?? '');
    setInvalid(!isEmail(email));
    if (isEmail(email)) model.send({ type: 'password/forgotten', email });
    else field.current?.focus();
  };

  return (
    <ScreenFrame title={t('passwordReset.spent')} onBack={() => model.send({ type: 'back' })}>
      <p data-part="text">{t('passwordReset.spentText')}</p>
      <form data-part="form" noValidate onSubmit={submit}>
        <label data-part="label" htmlFor={id}>
          {t('email.label')}
        </label>
        <TextField
          field={field}
          id={id}
          data-focus=""
          invalid={invalid}
          type="email"
          name="email"
          dir="ltr"
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t('email.placeholder')}
          aria-describedby={`${id}-error`}
          readOnly={isOwn}
          onText={() => setInvalid(false)}
        />
        <p data-part="field-error" id={`${id}-error`} role="alert">
          {invalid && t('email.invalid.magicLink')}
        </p>
        <EmailHint field={field} />
        <Button look="primary" type="submit" busy={isOwn} off={pending !== null && !isOwn}>
          {t('passwordReset.sendNew')}
        </Button>
      </form>
      <ErrorBanner error={isKnown ? null : error} />
    </ScreenFrame>
  );
}
