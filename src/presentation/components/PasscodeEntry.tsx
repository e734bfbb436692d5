import { useId } from 'react';
import type { SentOtp } from '../../domain/otp.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { useWidget } from '../hooks/useWidget.ts';
import css from '../theme/parts/passcode.css?inline';
import { addStyles } from '../theme/stylesheet.ts';
import { Countdown } from './Countdown.tsx';
import { ErrorText } from './ErrorText.tsx';
import { Message } from './Message.tsx';
import { PasscodeField } from './PasscodeField.tsx';
import { ResendCode } from './ResendCode.tsx';

addStyles(css);

interface Props {
  readonly otp: SentOtp;
  readonly state: WidgetState;
}

/** Where a passcode went, the field for it, how long it is good and how to get another. */
export function PasscodeEntry({ otp, state: { error, pending } }: Props) {
  const { t } = useWidget();
  const id = useId();
  const verifying = pending === 'otp/codeEntered';
  // A telephone number is one word: it breaks nowhere.
  const destination = otp.phone?.international.replaceAll(' ', '\u00a0') ?? otp.destination;
  return (
    <>
      <p data-part="text" id={`${id}-sent`}>
        <Message id="otp.sent" values={{ destination }} />
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
    </>
  );
}
