import { useId } from 'react';
import type { ScreenOf } from '../../domain/screens/screen.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { Countdown } from '../components/Countdown.tsx';
import { ErrorText } from '../components/ErrorText.tsx';
import { Message } from '../components/Message.tsx';
import { PasscodeField } from '../components/PasscodeField.tsx';
import { ResendCode } from '../components/ResendCode.tsx';
import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'OTPAuthenticate'>;
  readonly state: WidgetState;
}

export function OTPAuthenticate({ screen: { otp }, state: { error, pending } }: Props) {
  const { model, t } = useWidget();
  const id = useId();
  const verifying = pending === 'otp/codeEntered';
  return (
    <ScreenFrame title={t('otp.title')} onBack={() => model.send({ type: 'back' })}>
      <p data-part="text" id={`${id}-sent`}>
        <Message id="otp.sent" values={{ destination: otp.destination }} />
      </p>
      <PasscodeField
        error={error}
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
      <Countdown expiresAt={otp.expiresAt} />
      <ResendCode otp={otp} pending={pending} />
    </ScreenFrame>
  );
}
