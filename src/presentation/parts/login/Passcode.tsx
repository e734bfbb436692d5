import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import type { AuthError } from '#domain/errors.ts';
import { writtenEmail } from '#domain/contacts/international-domain.ts';
import { OTP_LENGTH, passcodeDigits, type SentOtp } from '#domain/passcodes/otp.ts';
import { isDeadCode, mayRepeat } from '#domain/screens/refusals.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner, ErrorText } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { TextField } from '../../components/TextField.tsx';
import { takeFocus } from '../../hooks/focus.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';
import { Countdown, ResendCode, useTimeLeft } from './Countdowns.tsx';
import { Mailboxes } from './Mailboxes.tsx';
import { Message } from './Message.tsx';

export function OTPAuthenticate({ screen: { otp }, state }: ScreenProps<'OTPAuthenticate'>) {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={t('otp.title')} onBack={() => model.send({ type: 'back' })}>
      <PasscodeEntry otp={otp} {...loginCode(model, state)} />
    </ScreenFrame>
  );
}

/** The requests of a form for a code that was sent. */
export interface CodeRequests {
  /** The request in progress. */
  readonly busy: 'code' | 'resend' | 'other' | null;
  /** The error of the last code. */
  readonly codeError: AuthError | null;
  /** The error of the last request for another code. */
  readonly resendError: AuthError | null;
  /** An error that is neither of the field nor of the button for another code. */
  readonly error: AuthError | null;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
  readonly onEdit: () => void;
}

/** The requests of a code that logs in. */
export function loginCode(model: WidgetModel, { pending, error, failed, toasts }: ScreenState): CodeRequests {
  const names = { 'otp/codeEntered': 'code', 'otp/resendRequested': 'resend' } as const;
  const isOfCode = failed === 'otp/codeEntered';
  return {
    busy: pending && (names[pending as keyof typeof names] ?? 'other'),
    codeError: isOfCode ? error : null,
    resendError: toasts.at(-1)?.error ?? null,
    error: isOfCode ? null : error,
    onCode: (code) => model.send({ type: 'otp/codeEntered', code }),
    onResend: () => model.send({ type: 'otp/resendRequested' }),
    onEdit: () => {
      if (model.getState().error !== null) model.send({ type: 'otp/codeEdited' });
    },
  };
}

/**
 * The destination of a passcode, the field for it, its remaining time, and the button for another code, which is the main button if nothing
 * else helps. A code stays in the field if it did not reach the server.
 */
export function PasscodeEntry({ otp, ...requests }: CodeRequests & { readonly otp: SentOtp }) {
  const { t } = useWidget();
  const { busy, codeError: error } = requests;
  const [code, setCode] = useState('');
  const [shownError, setShownError] = useState(error);
  const id = useOwnId();
  const verifying = busy === 'code';
  const isDead = isDeadCode(error);
  const time = useTimeLeft(isDead ? 0 : otp.expiresAt);
  // No-break spaces, so that a telephone number is not broken across lines.
  const destination = otp.phone?.international.replaceAll(' ', '\u00a0') ?? writtenEmail(otp.destination);
  if (error !== shownError) {
    setShownError(error);
    if (error !== null && !mayRepeat(error)) setCode('');
  }
  const send = (): void => requests.onCode(code);
  return (
    <>
      <p data-part="text" id={`${id}-sent`}>
        <Message id="otp.sent" values={{ destination }} />
      </p>
      <PasscodeField
        methodId={otp.methodId}
        expiresAt={otp.expiresAt}
        label={t('otp.field')}
        code={code}
        setCode={setCode}
        send={send}
        error={error}
        onEdit={requests.onEdit}
        off={isDead}
        waiting={busy !== null}
        verifying={verifying}
        describedBy={`${id}-sent ${id}-error`}
      />
      <div data-part="slot">
        <p data-part="field-error" id={`${id}-error`} role="alert">
          {error !== null && <ErrorText error={error} />}
        </p>
        <output data-part="verifying">
          {verifying && (
            <>
              <svg data-part="progress" aria-hidden="true" focusable="false">
                <rect />
              </svg>
              <span>{t('otp.verifying')}</span>
            </>
          )}
        </output>
      </div>
      {mayRepeat(error) && code.length === OTP_LENGTH && (
        <Button look="primary" off={busy !== null} onPress={send}>
          {t('otp.tryAgain')}
        </Button>
      )}
      {!isDead && <Countdown time={time} />}
      {otp.type === 'email' && !isDead && time !== null && <Mailboxes email={otp.destination} onlyOwn />}
      <ResendCode {...requests} otp={otp} isDead={isDead} isMain={isDead || time === null} />
      <ErrorBanner error={requests.error} />
    </>
  );
}

/** The effective text: a whole code that was pasted after other digits replaces them. */
function wholeCode(text: string, before: string, length: number): string {
  const added = text.startsWith(before) ? text.slice(before.length) : '';
  return passcodeDigits(added, length).length === length ? added : text;
}

interface FieldProps {
  /** Identifies the message of the code. A new message moves the focus to the field. */
  readonly methodId: string;
  /** Changes when another code was sent. */
  readonly expiresAt?: number;
  readonly label: string;
  /** The number of digits; six if absent. */
  readonly length?: number | undefined;
  readonly code: string;
  readonly setCode: (code: string) => void;
  /** Sends the content of the field. */
  readonly send: () => void;
  readonly onEdit: () => void;
  /** Accepts no more codes. */
  readonly off: boolean;
  readonly error: AuthError | null;
  /** A request is pending: the code is sent after it has ended. */
  readonly waiting: boolean;
  readonly verifying: boolean;
  readonly describedBy: string;
}

/**
 * One real field drawn as boxes, so that paste, autofill and screen readers work (WCAG 3.3.8). A whole code is submitted
 * automatically, once. After a failed request they can be entered or sent again.
 */
export function PasscodeField({
  methodId,
  expiresAt,
  label,
  length = OTP_LENGTH,
  code,
  setCode,
  send,
  onEdit,
  off,
  error,
  waiting,
  verifying,
  describedBy,
}: FieldProps) {
  const [caret, setCaret] = useState<number | null>(null);
  const [composed, setComposed] = useState<string | null>(null);
  const lastCode = useRef('');
  const field = useRef<HTMLInputElement>(null);

  const before = useRef(methodId);
  useBeforePaint(() => {
    if (before.current !== methodId && field.current !== null) takeFocus(field.current);
    before.current = methodId;
  }, [methodId]);

  const expected = useRef(expiresAt);
  useEffect(() => {
    // If a code was sent in vain, the next one replaces it. A code that waits for the request of the next one stays.
    if (expected.current !== expiresAt && code.length === length && lastCode.current === code) setCode('');
    expected.current = expiresAt;
  }, [expiresAt, code, setCode, length]);

  useEffect(() => {
    if (code.length < length) lastCode.current = '';
    if (code.length < length || waiting || lastCode.current === code) return;
    lastCode.current = code;
    send();
  }, [code, waiting, send, length]);

  const followCaret = (): void => setCaret(field.current?.selectionStart ?? 0);

  /** The boxes show the digits of a composition. The browser's own marking of it would hide them. */
  const compose = (text: string | null): void => {
    setComposed(text);
    followCaret();
  };

  const edit = (text: string): void => {
    const digits = passcodeDigits(wholeCode(text, code, length), length);
    if (digits !== code) {
      setCode(digits);
      onEdit();
    } else if (error !== null && code.length === length) {
      send();
    }
    setCaret(Math.min(field.current?.selectionStart ?? digits.length, digits.length));
  };

  const boxDigits = composed === null ? code : passcodeDigits(composed, length);
  const sendByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && error !== null && code.length === length && !waiting) send();
  };

  return (
    <div
      data-part="passcode"
      data-state={error !== null ? 'invalid' : verifying ? 'verifying' : 'idle'}
      dir="ltr"
      translate="no"
    >
      <TextField
        field={field}
        data-focus=""
        data-part="passcode-input"
        data-state={composed === null ? 'idle' : 'composing'}
        type="text"
        name="code"
        form=""
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        aria-label={label}
        invalid={error !== null}
        aria-describedby={describedBy}
        readOnly={verifying || off}
        value={code}
        onText={edit}
        onComposition={compose}
        onFocus={followCaret}
        onClick={followCaret}
        onKeyDown={sendByKey}
        onKeyUp={followCaret}
        onBlur={() => setCaret(null)}
      />
      {Array.from({ length }, (_, box) => (
        <span
          key={box}
          data-part="box"
          data-state={caret !== null && Math.min(caret, boxDigits.length, length - 1) === box ? 'active' : 'idle'}
          aria-hidden="true"
        >
          {boxDigits[box]}
        </span>
      ))}
    </div>
  );
}
