import { useWidget } from '../../hooks/useWidget.ts';

/** A reserved domain (RFC 2606) until the product has its own address. */
const HOME = 'https://portico.example/';

/** The 'Powered by' link, when the project's settings require it. */
export function Watermark() {
  const { t } = useWidget();
  return (
    <a data-part="watermark" href={HOME} target="_blank" rel="noopener">
      {t('watermark')} <strong>Portico</strong>
    </a>
  );
}
