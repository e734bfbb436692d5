import { useWidget } from '../../hooks/useWidget.ts';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

/** Shown by the passkey screens without a session (specification, section 2). */
export function NoPasskeyUser() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="alert">
      <p role="alert">{t('passkeys.noUser')}</p>
    </ScreenFrame>
  );
}
