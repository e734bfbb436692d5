import { useWidget } from '../hooks/useWidget.ts';

/** Marks the way by which somebody logged in last in this browser, where there is more than one. */
export function LastUsed() {
  const { t } = useWidget();
  return <small data-part="last-used"> {t('main.lastUsed')}</small>;
}
