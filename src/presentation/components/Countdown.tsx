import { useEffect, useRef } from 'react';
import { useTimeLeft } from '../hooks/useTimeLeft.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Message } from './Message.tsx';

/** How long the code is good. Silent while it counts, announced when it ends. */
export function Countdown({ expiresAt }: { readonly expiresAt: number }) {
  const { t, announce } = useWidget();
  const time = useTimeLeft(expiresAt);
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
