import { useWidget } from '../../hooks/useWidget.ts';
import type { Parts } from '../parts.ts';
import { useGentleHeight } from './useGentleHeight.ts';

/** A reserved domain (RFC 2606) until the product has its own address. */
const HOME = 'https://portico.example/';

/** The 'Powered by' link, when the project's settings require it; and in a preset's look, the gentle height of the card. */
export const CardFoot: Parts['login']['CardFoot'] = ({ card, screen, hasWatermark }) => {
  const { t, styles } = useWidget();
  useGentleHeight(card, screen, styles?.preset !== undefined);
  if (!hasWatermark) return null;
  return (
    <a data-part="watermark" href={HOME} target="_blank" rel="noopener">
      {t('watermark')} <strong>Portico</strong>
    </a>
  );
};
