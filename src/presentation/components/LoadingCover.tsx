import { useWidget } from '../hooks/useWidget.ts';
import { Icon } from './Icon.tsx';

/** Floats where the content was while something general is loading. */
export function LoadingCover() {
  const { t } = useWidget();
  return (
    <output data-part="loading">
      <Icon name="spinner" />
      <span>{t('loading')}</span>
    </output>
  );
}
