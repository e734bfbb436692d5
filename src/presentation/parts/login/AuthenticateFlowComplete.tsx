import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

export function AuthenticateFlowComplete() {
  const { t } = useWidget();
  return (
    <ScreenFrame mark="tick" title={t('complete.title')}>
      <p data-part="text">{t('complete.text')}</p>
    </ScreenFrame>
  );
}
