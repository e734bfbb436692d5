import { useEffect, useRef } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from './Message.tsx';

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
      {time === null ? t('otp.expired') : <Message id="otp.expiresIn" values={{ time }} />}
    </p>
  );
}
