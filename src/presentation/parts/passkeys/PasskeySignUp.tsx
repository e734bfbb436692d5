import { useRef, useState, type SyntheticEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { isEmail, typedEmail } from '#domain/contacts/email.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { PasskeyNoteProps } from '../parts.ts';

export { passkeySignUp as texts } from '../../messages/en/passkey-sign-up.ts';

/**
 * The sign-up with only a passkey, on Main. Under the form for an email address it uses that form's address. Elsewhere a press opens a
 * separate form.
 */
export function PasskeySignUp({ entry, state: { pending } }: PasskeyNoteProps) {
  const { id, model, t } = useWidget();
  const [open, setOpen] = useState(false);
  const [invalid, setInvalid] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useBeforePaint(() => {
    if (open) field.current?.focus();
  }, [open]);

  const busy = pending === 'passkey/createRequested';
  const off = pending !== null && !busy;
  const signUp = (text: string): boolean => {
    const email = typedEmail(text);
    if (!isEmail(email)) return false;
    model.send({ type: 'passkey/createRequested', email });
    return true;
  };
  const press = (): void => {
    if (entry === 'button') {
      setOpen(true);
      return;
    }
    const form = place.current?.closest('form');
    const input = form?.elements.namedItem('email');
    // The form itself reports a wrong address, and does not send it.
    if (!signUp(input instanceof HTMLInputElement ? input.value : '')) form?.requestSubmit();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (pending !== null || signUp(field.current?.value ?? '')) return;
    setInvalid(true);
    field.current?.focus();
  };
  const fieldId = `${id}-sign-up`;
  if (!open) {
    return (
      <div data-part="passkey-sign-up" ref={place}>
        <Button look="secondary" busy={busy} off={off} onPress={press}>
          {t('passkeySignUp.button')}
        </Button>
      </div>
    );
  }
  return (
    <form method="dialog" data-part="form" noValidate onSubmit={submit}>
      <label data-part="label" htmlFor={fieldId}>
        {t('email.label')}
      </label>
      <TextField
        field={field}
        id={fieldId}
        invalid={invalid}
        type="email"
        name="email"
        dir="ltr"
        required
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t('email.placeholder')}
        aria-describedby={`${fieldId}-error ${fieldId}-text`}
        readOnly={pending !== null}
        onText={() => setInvalid(false)}
      />
      <p data-part="field-error" id={`${fieldId}-error`} role="alert">
        {invalid && t('email.invalid.magicLink')}
      </p>
      <p data-part="text" id={`${fieldId}-text`}>
        {t('passkeySignUp.text')}
      </p>
      <Button look="primary" type="submit" busy={busy} off={off}>
        {t('passkeySignUp.button')}
      </Button>
    </form>
  );
}
