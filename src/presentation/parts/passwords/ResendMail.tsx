import { useEffect, useRef, useState } from 'react';
import { retryAfterOf } from '#domain/errors.ts';
import { RESEND_COOLDOWN_MS } from '#domain/passcodes/otp.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useTimeLeft } from '../login/Countdowns.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';

interface Props {
  readonly state: ScreenState;
  /** The intent that sends the mail. */
  readonly intent: Extract<Intent, { readonly type: 'password/resendRequested' | 'password/passwordlessRequested' }>;
}

/** "Didn't get it? Resend email". It is blocked for a while after each mail, and during the server's `Retry-After`. */
export function ResendMail({ state: { pending, error, toasts }, intent }: Props) {
  const { model, t } = useWidget();
  const [until, setUntil] = useState(0);
  const wait = useTimeLeft(until);
  const hasRequested = useRef(false);
  const busy = pending === intent.type;
  const refusal = error ?? toasts.find(({ kind }) => kind === 'error')?.error ?? null;

  useEffect(() => {
    if (busy || !hasRequested.current) return;
    hasRequested.current = false;
    const cooldown = refusal === null ? RESEND_COOLDOWN_MS : (retryAfterOf(refusal) ?? 0);
    setUntil(model.clock.now() + cooldown);
  }, [busy, refusal, model]);

  return (
    <p data-part="again">
      <span>{`${t('password.missing')} `}</span>
      <Button
        look="link"
        busy={busy}
        off={pending !== null || wait !== null}
        onPress={() => {
          hasRequested.current = true;
          model.send(intent);
        }}
      >
        {wait === null ? t('password.resend') : t('password.resendIn', { time: wait })}
      </Button>
    </p>
  );
}
