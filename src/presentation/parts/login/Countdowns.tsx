import { useEffect, useReducer, useRef, useState } from 'react';
import { retryAfterOf } from '../../../domain/errors.ts';
import { CODE_SENT_MS, reduceResend, RESEND_COOLDOWN_MS, type SentOtp } from '../../../domain/otp.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { takeFocus } from '../../hooks/focus.ts';
import { useTimeLeft } from './useTimeLeft.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';

interface Props {
  readonly otp: SentOtp;
  readonly state: WidgetState;
  /** No code that was sent works any more. */
  readonly isDead: boolean;
  /** A new code is the only way on, so the button is the main one. */
  readonly isMain: boolean;
}

/**
 * "Didn't get it? Resend code", which says 'Code sent' for two seconds once one has gone out (section 4), and then waits a
 * little; as long as the server has asked for, where it has refused one.
 */
export function ResendCode({ otp, state: { pending, toasts }, isDead, isMain }: Props) {
  const { model, t, announce } = useWidget();
  const [state, dispatch] = useReducer(reduceResend, 'initial');
  const [until, setUntil] = useState(0);
  const wait = useTimeLeft(until);
  const asked = useRef(otp);
  const place = useRef<HTMLDivElement>(null);
  const refusal = toasts.at(-1)?.error ?? null;

  useEffect(() => {
    if (state !== 'sending' || pending === 'otp/resendRequested') return;
    const failed = otp === asked.current;
    dispatch(failed ? 'failed' : 'delivered');
    const cooldown = failed ? (retryAfterOf(refusal) ?? 0) : RESEND_COOLDOWN_MS;
    setUntil(model.clock.now() + cooldown);
  }, [state, pending, otp, refusal, model]);

  useEffect(() => {
    const button = place.current?.querySelector('button');
    if (isDead && button) takeFocus(button);
  }, [isDead]);

  useEffect(() => {
    if (state !== 'sent') return undefined;
    announce(t('otp.resent'));
    return model.clock.after(CODE_SENT_MS, () => dispatch('shownLongEnough'));
  }, [state, model, announce, t]);

  const ask = (): void => {
    if (model.getState().pending !== null || wait !== null) return;
    asked.current = otp;
    dispatch('asked');
    model.send({ type: 'otp/resendRequested' });
  };

  const busy = state === 'sending';
  const off = state === 'sent' || wait !== null || (!busy && pending !== null);
  const again = wait === null ? t(isMain ? 'otp.sendNew' : 'otp.resend') : t('otp.resendIn', { time: wait });
  const button = (
    <Button look={isMain ? 'primary' : 'link'} busy={busy} off={off} onPress={ask}>
      {state === 'sent' ? t('otp.resent') : again}
    </Button>
  );
  return (
    <div ref={place}>
      {isMain ? (
        button
      ) : (
        <p data-part="again">
          <span>{t('otp.missing')}</span> {button}
        </p>
      )}
    </div>
  );
}
