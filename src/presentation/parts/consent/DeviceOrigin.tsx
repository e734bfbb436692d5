import type { DeviceView } from '#domain/consent/consent.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';

/** The requesting device: its code, its program and its network, and the warning against strangers' codes (RFC 8628, section 5.4). */
export function DeviceOrigin({ device }: { readonly device: DeviceView }) {
  const { t } = useWidget();
  const { userCode, program, network, isSameNetwork } = device;
  const place = isSameNetwork ? 'device.network.same' : 'device.network.other';
  return (
    <section data-part="device" data-state={isSameNetwork ? 'near' : 'far'}>
      <p data-part="device-code">
        <span>{t('device.code')}</span>{' '}
        <bdi dir="ltr" translate="no">
          {userCode}
        </bdi>
      </p>
      <p>
        {program === null ? (
          <span>{t('device.program.unknown')}</span>
        ) : (
          <Message id="device.program" values={{ program }} />
        )}
      </p>
      <p>
        {network === null ? <span>{t('device.network.unknown')}</span> : <Message id={place} values={{ network }} />}
      </p>
      <p data-part="device-note">{t('device.warning')}</p>
    </section>
  );
}
