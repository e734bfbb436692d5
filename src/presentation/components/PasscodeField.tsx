import { useEffect, useRef, useState } from 'react';
import type { AuthError } from '../../domain/errors.ts';
import { OTP_LENGTH, passcodeDigits } from '../../domain/otp.ts';
import { useWidget } from '../hooks/useWidget.ts';

const BOXES = Array.from({ length: OTP_LENGTH }, (_, index) => index);

interface Props {
  readonly error: AuthError | null;
  /** Something is under way: what is typed waits. */
  readonly waiting: boolean;
  readonly verifying: boolean;
  readonly describedBy: string;
}

/**
 * One real field drawn as six boxes, so that paste, autofill and screen readers find what they know (WCAG 3.3.8). Six
 * digits go out by themselves, once; a refusal empties the boxes and keeps the focus.
 */
export function PasscodeField({ error, waiting, verifying, describedBy }: Props) {
  const { model, t } = useWidget();
  const [code, setCode] = useState('');
  const [caret, setCaret] = useState<number | null>(null);
  const [shownError, setShownError] = useState(error);
  const sent = useRef('');
  const field = useRef<HTMLInputElement>(null);

  if (error !== shownError) {
    setShownError(error);
    if (error !== null) {
      setCode('');
      setCaret(caret === null ? null : 0);
    }
  }

  useEffect(() => {
    if (code.length < OTP_LENGTH) sent.current = '';
    if (code.length < OTP_LENGTH || waiting || sent.current === code) return;
    sent.current = code;
    model.send({ type: 'otp/codeEntered', code });
  }, [code, waiting, model]);

  const followCaret = (): void => setCaret(field.current?.selectionStart ?? 0);

  const edit = (text: string): void => {
    const digits = passcodeDigits(text);
    if (digits !== code) {
      setCode(digits);
      if (model.getState().error !== null) model.send({ type: 'otp/codeEdited' });
    }
    setCaret(Math.min(field.current?.selectionStart ?? digits.length, digits.length));
  };

  return (
    <div data-part="passcode" data-state={error !== null ? 'invalid' : verifying ? 'verifying' : 'idle'} dir="ltr">
      <input
        ref={field}
        data-focus=""
        data-part="passcode-input"
        type="text"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        aria-label={t('otp.field')}
        aria-invalid={error !== null}
        aria-describedby={describedBy}
        readOnly={verifying}
        value={code}
        onChange={(event) => edit(event.currentTarget.value)}
        onFocus={followCaret}
        onClick={followCaret}
        onKeyUp={followCaret}
        onBlur={() => setCaret(null)}
      />
      {BOXES.map((box) => (
        <span
          key={box}
          data-part="box"
          data-state={caret !== null && Math.min(caret, OTP_LENGTH - 1) === box ? 'active' : 'idle'}
          aria-hidden="true"
        >
          {code[box]}
        </span>
      ))}
    </div>
  );
}
