import { useWidget } from '../../hooks/useWidget.ts';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

/** Replaces the passkey screens when nobody is signed in (specification, section 2). */
export function NoPasskeyUser() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="alert">
      <p role="alert">{t('passkeys.noUser')}</p>
    </ScreenFrame>
  );
}
