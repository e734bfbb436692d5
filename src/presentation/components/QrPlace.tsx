import { useEffect, useState, type ComponentType } from 'react';
import { codeLoad } from '#domain/code-loads.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Unloaded } from './Unloaded.tsx';

interface Props {
  readonly text: string;
  readonly label: string;
}

/**
 * A place for a QR code, which reserves its size. The code that draws it is loaded when it is first shown. Without it, the key can be
 * entered.
 */
export function QrPlace(props: Props) {
  const { t } = useWidget();
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    codeLoad(import('./QrCode.tsx')).then(
      ({ QrCode }) => setLoaded(() => QrCode),
      () => setFailed(true),
    );
  }, []);
  if (failed) {
    return (
      <p role="alert">
        <Unloaded t={t} />
      </p>
    );
  }
  return <div data-part="qr-place">{Loaded && <Loaded {...props} />}</div>;
}
