import { useWidget } from '../hooks/useWidget.ts';
import { ScreenFrame } from './ScreenFrame.tsx';

/** A success screen: a tick, and the title and text with that name in the catalogue. */
export function confirmation(
  name: 'complete' | 'otpConfirmation' | 'passkeyCreated' | `${'password' | 'passkey' | 'crypto'}Confirmation`,
) {
  return function Confirmation() {
    const { t } = useWidget();
    return (
      <ScreenFrame mark="tick" title={t(`${name}.title`)}>
        <p data-part="text">{t(`${name}.text`)}</p>
      </ScreenFrame>
    );
  };
}
