import { useEffect, useState, type ComponentType } from 'react';
import { codeLoad } from '../../domain/code-loads.ts';

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A QR code, in a place of its size. Its code loads when it is first shown; without it, the key can be entered. */
export function QrPlace(props: Props) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    codeLoad(import('./QrCode.tsx')).then(
      ({ QrCode }) => setLoaded(() => QrCode),
      () => undefined,
    );
  }, []);
  return <div data-part="qr-place">{Loaded && <Loaded {...props} />}</div>;
}
