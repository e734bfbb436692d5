import { useEffect, useRef } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from './Message.tsx';

/** How long the code is good, null when it is no more. Silent while it counts, announced when it ends. */
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
