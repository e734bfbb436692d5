import { useEffect, useState, type ComponentType } from 'react';
import { codeLoad } from '../../domain/code-loads.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Unloaded } from './Unloaded.tsx';

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A QR code, in a place of its size. Its code loads when it is first shown; without it, the key can be entered. */
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
