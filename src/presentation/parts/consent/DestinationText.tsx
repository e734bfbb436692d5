import type { Destination } from '#domain/consent/destination.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';

/** The next destination of the browser. Nothing for a URL that is neither a site nor an app on this device. */
export function DestinationText({ destination }: { readonly destination: Destination }) {
  const { t } = useWidget();
  const { host, onDevice, scheme } = destination;
  if (host === null && !onDevice) return null;
  return (
    <p data-part="host">
      {host !== null ? (
        <Message id="consent.host" values={{ host }} />
      ) : scheme === undefined ? (
        <span>{t('consent.host.device')}</span>
      ) : (
        <Message id="consent.host.scheme" values={{ scheme }} />
      )}
    </p>
  );
}
