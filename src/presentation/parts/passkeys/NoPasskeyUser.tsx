import { useEffect } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

/** Shown by the passkey screens without a session (specification, section 2). */
export function NoPasskeyUser() {
  const { announce, t } = useWidget();
  const text = t('passkeys.noUser');
  // Comes after the announcement of the screen, which has no heading.
  useEffect(() => queueMicrotask(() => announce(text)), [announce, text]);
  return (
    <ScreenFrame mark="alert">
      <p>{text}</p>
    </ScreenFrame>
  );
}
