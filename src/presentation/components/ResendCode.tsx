import { useEffect, useReducer, useRef } from 'react';
import { CODE_SENT_MS, reduceResend, type SentOtp } from '../../domain/otp.ts';
import type { Pending } from '../../domain/screens/widget-state.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';

interface Props {
  readonly otp: SentOtp;
  readonly pending: Pending | null;
}

/** "Didn't get it? Resend code", which says 'Code sent' for two seconds once one has gone out (section 4). */
export function ResendCode({ otp, pending }: Props) {
  const { model, t, announce } = useWidget();
  const [state, dispatch] = useReducer(reduceResend, 'initial');
  const asked = useRef(otp);

  useEffect(() => {
    if (state !== 'sending' || pending === 'otp/resendRequested') return;
    dispatch(otp === asked.current ? 'failed' : 'delivered');
  }, [state, pending, otp]);

  useEffect(() => {
    if (state !== 'sent') return undefined;
    announce(t('otp.resent'));
    return model.clock.after(CODE_SENT_MS, () => dispatch('shownLongEnough'));
  }, [state, model, announce, t]);

  const ask = (): void => {
    if (model.getState().pending !== null) return;
    asked.current = otp;
    dispatch('asked');
    model.send({ type: 'otp/resendRequested' });
  };

  return (
    <p data-part="again">
      <span>{t('otp.missing')}</span>{' '}
      <Button
        look="link"
        busy={state === 'sending'}
        off={state === 'sent' || (state !== 'sending' && pending !== null)}
        onPress={ask}
      >
        {state === 'sent' ? t('otp.resent') : t('otp.resend')}
      </Button>
    </p>
  );
}
