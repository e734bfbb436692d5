import { useRef, useState } from 'react';
import type { AuthError } from '#domain/errors.ts';
import { isUserCode, shownUserCode } from '#domain/consent/user-code.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  /** What is known about the code. */
  readonly userCode: string;
  readonly error: AuthError | null;
  readonly pending: ScreenState['pending'];
}

/** The field for the code that a device shows. The code is formatted in two groups, no matter how it is typed or pasted. */
export function DeviceCode({ userCode, error, pending }: Props) {
  const { model, t } = useWidget();
  const [code, setCode] = useState(userCode);
  const [past, setPast] = useState<AuthError | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useOwnId();
  const currentError = error === past ? null : error;
  const edit = (text: string): void => {
    setCode(shownUserCode(text));
    setPast(error);
  };
  return (
    <ScreenFrame title={t('device.title')}>
      <form
        data-part="device-form"
        onSubmit={(event) => {
          event.preventDefault();
          const entered = shownUserCode(field.current?.value ?? '');
          setCode(entered);
          if (!isUserCode(entered) || pending !== null) return;
          setPast(null);
          model.send({ type: 'device/codeEntered', code: entered });
        }}
      >
        <label data-part="label" htmlFor={id}>
          {t('device.label')}
        </label>
        <TextField
          field={field}
          id={id}
          invalid={currentError !== null}
          type="text"
          name="user_code"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
          aria-describedby={`${id}-error ${id}-note`}
          value={code}
          onText={edit}
        />
        <p data-part="field-error" id={`${id}-error`} role="alert">
          {currentError !== null && <ErrorText error={currentError} />}
        </p>
        <p data-part="device-note" id={`${id}-note`}>
          {t('device.warning')}
        </p>
        <Button
          look="primary"
          type="submit"
          busy={pending === 'device/codeEntered'}
          off={pending !== null || (!isUserCode(code) && 'heard')}
        >
          {t('device.continue')}
        </Button>
      </form>
    </ScreenFrame>
  );
}
