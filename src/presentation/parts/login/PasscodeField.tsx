import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { AuthError } from '../../../domain/errors.ts';
import { OTP_LENGTH, passcodeDigits } from '../../../domain/otp.ts';
import { takeFocus } from '../../hooks/focus.ts';
import { useWidget } from '../../hooks/useWidget.ts';

const BOXES = Array.from({ length: OTP_LENGTH }, (_, index) => index);

interface Props {
  /** Which message the code is of; another one takes the focus to the field. */
  readonly methodId: string;
  readonly code: string;
  readonly setCode: (code: string) => void;
  /** Sends the content of the field. */
  readonly send: () => void;
  /** Takes no code any more. */
  readonly off: boolean;
  readonly error: AuthError | null;
  /** A request is under way: the code is not sent before it has ended. */
  readonly waiting: boolean;
  readonly verifying: boolean;
  readonly describedBy: string;
}

/**
 * One real field drawn as six boxes, so that paste, autofill and screen readers find what they know (WCAG 3.3.8). Six
 * digits go out by themselves, once, and again when they are entered or sent anew after they did not arrive.
 */
export function PasscodeField({ methodId, code, setCode, send, off, error, waiting, verifying, describedBy }: Props) {
  const { model, t } = useWidget();
  const [caret, setCaret] = useState<number | null>(null);
  const sent = useRef('');
  const field = useRef<HTMLInputElement>(null);

  const before = useRef(methodId);
  useEffect(() => {
    if (before.current !== methodId && field.current !== null) takeFocus(field.current);
    before.current = methodId;
  }, [methodId]);

  useEffect(() => {
    if (code.length < OTP_LENGTH) sent.current = '';
    if (code.length < OTP_LENGTH || waiting || sent.current === code) return;
    sent.current = code;
    send();
  }, [code, waiting, send]);

  const followCaret = (): void => setCaret(field.current?.selectionStart ?? 0);

  const edit = (text: string): void => {
    const digits = passcodeDigits(text);
    if (digits !== code) {
      setCode(digits);
      if (model.getState().error !== null) model.send({ type: 'otp/codeEdited' });
    } else if (error !== null && code.length === OTP_LENGTH) {
      send();
    }
    setCaret(Math.min(field.current?.selectionStart ?? digits.length, digits.length));
  };

  const sendByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && error !== null && code.length === OTP_LENGTH && !waiting) send();
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
        readOnly={verifying || off}
        value={code}
        onChange={(event) => edit(event.currentTarget.value)}
        onFocus={followCaret}
        onClick={followCaret}
        onKeyDown={sendByKey}
        onKeyUp={followCaret}
        onBlur={() => setCaret(null)}
      />
      {BOXES.map((box) => (
        <span
          key={box}
          data-part="box"
          data-state={caret !== null && Math.min(caret, code.length, OTP_LENGTH - 1) === box ? 'active' : 'idle'}
          aria-hidden="true"
        >
          {code[box]}
        </span>
      ))}
    </div>
  );
}
