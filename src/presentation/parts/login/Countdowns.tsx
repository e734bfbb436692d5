import { useEffect, useReducer, useRef, useState } from 'react';
import { retryAfterOf, type AuthError } from '#domain/errors.ts';
import { CODE_SENT_MS, reduceResend, RESEND_COOLDOWN_MS, timeLeft, type SentOtp } from '#domain/passcodes/otp.ts';
import { Button } from '../../components/Button.tsx';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { takeFocus } from '../../hooks/focus.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from './Message.tsx';

/** The time until `expiresAt` as `m:ss`; null if it has passed or is 0 (none). Uses absolute time, so that it is right after sleep. */
export function useTimeLeft(expiresAt: number): string | null {
  const { clock } = useWidget().model;
  const [, showAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let cancel = (): void => {};
    const wait = (): void => {
      const remainingMs = expiresAt - clock.now();
      if (!(remainingMs > 0)) return;
      cancel = clock.after(remainingMs % 1000 || 1000, () => {
        showAgain();
        wait();
      });
    };
    wait();
    return () => cancel();
  }, [clock, expiresAt]);
  return timeLeft(expiresAt, clock.now());
}

/** The remaining time of the code; null when it has expired. Screen readers announce only the expiry. */
export function Countdown({ time }: { readonly time: string | null }) {
  const { t, announce } = useWidget();
  const expired = time === null;
  const wasExpired = useRef(expired);
  useEffect(() => {
    if (expired && !wasExpired.current) announce(t('otp.expired'));
    wasExpired.current = expired;
  }, [expired, announce, t]);
  return (
    <p data-part="countdown" data-state={expired ? 'expired' : 'running'}>
      {time === null ? <span>{t('otp.expired')}</span> : <Message id="otp.expiresIn" values={{ time }} />}
    </p>
  );
}

/** The remaining time of the server's `Retry-After`. Screen readers announce only its end. */
export function Wait({ until }: { readonly until: number }) {
  const { t, announce } = useWidget();
  const time = useTimeLeft(until);
  const over = time === null;
  const wasOver = useRef(over);
  useEffect(() => {
    if (over && !wasOver.current) announce(t('wait.over'));
    wasOver.current = over;
  }, [over, announce, t]);
  return (
    <span data-part="wait-for" aria-live="off">
      {time === null ? t('wait.over') : t('wait.for', { time })}
    </span>
  );
}

interface Props {
  readonly otp: SentOtp;
  /** The request in progress. */
  readonly busy: 'code' | 'resend' | 'other' | null;
  /** The error of the last request for another code. */
  readonly resendError: AuthError | null;
  readonly onResend: () => void;
  /** True if the sent code can no longer be used. */
  readonly isDead: boolean;
  /** True if only a new code helps, so the button is the main one. */
  readonly isMain: boolean;
}

/**
 * "Didn't get it? Resend code". After sending, it shows 'Code sent' for two seconds (section 4) and is then blocked for a while;
 * after a refusal, it is blocked for the server's `Retry-After`.
 */
export function ResendCode({ otp, busy, resendError, onResend, isDead, isMain }: Props) {
  const { model, t, announce } = useWidget();
  const [state, dispatch] = useReducer(reduceResend, 'initial');
  const [until, setUntil] = useState(0);
  const wait = useTimeLeft(until);
  const previousOtp = useRef(otp);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (state !== 'sending' || busy === 'resend') return;
    const failed = otp === previousOtp.current;
    dispatch(failed ? 'failed' : 'delivered');
    const cooldown = failed ? (retryAfterOf(resendError) ?? 0) : RESEND_COOLDOWN_MS;
    setUntil(model.clock.now() + cooldown);
  }, [state, busy, otp, resendError, model]);

  useBeforePaint(() => {
    const button = place.current?.querySelector('button');
    if (isDead && button) takeFocus(button);
  }, [isDead]);

  useEffect(() => {
    if (state !== 'sent') return undefined;
    announce(t('otp.resent'));
    return model.clock.after(CODE_SENT_MS, () => dispatch('shownLongEnough'));
  }, [state, model, announce, t]);

  const ask = (): void => {
    if (busy !== null || wait !== null) return;
    previousOtp.current = otp;
    dispatch('asked');
    onResend();
  };

  const isSending = state === 'sending';
  const off = state === 'sent' || wait !== null || (!isSending && busy !== null);
  const again = wait === null ? t(isMain ? 'otp.sendNew' : 'otp.resend') : t('otp.resendIn', { time: wait });
  const button = (
    <Button look={isMain ? 'primary' : 'link'} busy={isSending} off={off} onPress={ask}>
      {state === 'sent' ? t('otp.resent') : again}
    </Button>
  );
  return (
    <div ref={place}>
      {isMain ? (
        button
      ) : (
        <p data-part="again">
          <span>{`${t('otp.missing')} `}</span>
          {button}
        </p>
      )}
    </div>
  );
}
