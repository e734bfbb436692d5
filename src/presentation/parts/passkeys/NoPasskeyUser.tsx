import { useEffect } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

/** Shown by the passkey screens without a session (specification, section 2). */
export function NoPasskeyUser() {
  const { announce, t } = useWidget();
  const text = t('passkeys.noUser');
  // A screen that is already shown has no arrival, which would announce it.
  useEffect(() => announce(text), [announce, text]);
  return (
    <ScreenFrame mark="alert">
      <p data-announce="">{text}</p>
    </ScreenFrame>
  );
}
