import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import { isEmail } from '../../domain/email.ts';
import type { EmailMethod } from '../../domain/screens/main-layout.ts';
import type { Pending } from '../../domain/screens/widget-state.ts';
import { productsOf } from '../../domain/widget-config.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from '../components/Button.tsx';

interface Props {
  readonly method: EmailMethod;
  readonly initial: string;
  readonly pending: Pending | null;
}

/** One field for an address. What is not an address is said here; a good one goes out. */
export function EmailForm({ method, initial, pending }: Props) {
  const { model, config, t } = useWidget();
  const offersPasskeys = productsOf(config).includes('passkeys');
  const [email, setEmail] = useState(initial);
  const [invalid, setInvalid] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => {
    if (offersPasskeys) model.send({ type: 'passkey/autofillReady' });
  }, [model, offersPasskeys]);

  const isOwn = pending === 'otp/requested' || pending === 'magicLink/requested' || pending === 'password/emailEntered';

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (model.getState().pending !== null) return;
    const address = email.trim();
    if (!isEmail(address)) {
      setInvalid(true);
      field.current?.focus();
      return;
    }
    if (method === 'otp') model.send({ type: 'otp/requested', method: 'email', destination: address });
    else model.send({ type: method === 'password' ? 'password/emailEntered' : 'magicLink/requested', email: address });
  };

  return (
    <form data-part="form" noValidate onSubmit={submit}>
      <label data-part="label" htmlFor={id}>
        {t('email.label')}
      </label>
      <input
        ref={field}
        id={id}
        data-focus={initial ? '' : undefined}
        data-part="input"
        data-state={invalid ? 'invalid' : 'valid'}
        type="email"
        name="email"
        dir="ltr"
        required
        autoComplete={offersPasskeys ? 'username webauthn' : 'email'}
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t('email.placeholder')}
        aria-invalid={invalid}
        aria-describedby={`${id}-error`}
        readOnly={pending !== null}
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setInvalid(false);
        }}
      />
      <p data-part="field-error" id={`${id}-error`} role="alert">
        {invalid && t(method === 'otp' ? 'email.invalid.otp' : 'email.invalid.magicLink')}
      </p>
      <Button look="primary" type="submit" busy={isOwn} off={pending !== null && !isOwn}>
        {t('email.continue')}
      </Button>
    </form>
  );
}
