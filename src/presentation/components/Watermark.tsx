import { useWidget } from '../hooks/useWidget.ts';

/** Reserved by RFC 2606 until the product has an address of its own. */
const HOME = 'https://portico.example/';

/** Says what the widget is made with, where the project asks for it. */
export function Watermark() {
  const { t } = useWidget();
  return (
    <a data-part="watermark" href={HOME} target="_blank" rel="noopener">
      {t('watermark')} <strong>Portico</strong>
    </a>
  );
}
