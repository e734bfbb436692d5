import { useId, useState } from 'react';
import { OTP_LENGTH, type SentOtp } from '../../../domain/otp.ts';
import { isDeadCode, mayRepeat } from '../../../domain/refusals.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { useTimeLeft } from './useTimeLeft.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { Countdown } from './Countdown.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { Message } from './Message.tsx';
import { PasscodeField } from './PasscodeField.tsx';
import { ResendCode } from './Countdowns.tsx';

interface Props {
  readonly otp: SentOtp;
  readonly state: WidgetState;
}

/**
 * Where a passcode went, the field for it, how long it is good and how to get another: the main button where no other way
 * leads on. What did not reach the server stays in the field, to be sent again.
 */
export function PasscodeEntry({ otp, state }: Props) {
  const { model, t } = useWidget();
  const { error, pending } = state;
  const [code, setCode] = useState('');
  const [shownError, setShownError] = useState(error);
  const id = useId();
  const verifying = pending === 'otp/codeEntered';
  const isDead = isDeadCode(error);
  const time = useTimeLeft(isDead ? 0 : otp.expiresAt);
  // A telephone number is one word: it breaks nowhere.
  const destination = otp.phone?.international.replaceAll(' ', '\u00a0') ?? otp.destination;
  if (error !== shownError) {
    setShownError(error);
    if (error !== null && !mayRepeat(error)) setCode('');
  }
  const send = (): void => model.send({ type: 'otp/codeEntered', code });
  return (
    <>
      <p data-part="text" id={`${id}-sent`}>
        <Message id="otp.sent" values={{ destination }} />
      </p>
      <PasscodeField
        methodId={otp.methodId}
        code={code}
        setCode={setCode}
        send={send}
        error={error}
        off={isDead}
        waiting={pending !== null}
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
              {t('otp.verifying')}
            </>
          )}
        </output>
      </div>
      {mayRepeat(error) && code.length === OTP_LENGTH && (
        <Button look="primary" off={pending !== null} onPress={send}>
          {t('otp.tryAgain')}
        </Button>
      )}
      {!isDead && <Countdown time={time} />}
      <ResendCode otp={otp} state={state} isDead={isDead} isMain={isDead || time === null} />
    </>
  );
}
