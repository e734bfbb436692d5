import { useEffect, useState } from 'react';
import { Unloaded } from '../../components/Unloaded.tsx';
import { useScreenState, useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';

/** After the passkey link led to no login, reports that the file with the sentence about it could not be loaded. */
export function MissingNote() {
  const { model, loadPart, t } = useWidget();
  const { passkeyNote } = useScreenState(model);
  const part = usePart('passkeys');
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isGone = false;
    if (passkeyNote !== null) loadPart('passkeys').catch(() => !isGone && setMissing(true));
    return () => {
      isGone = true;
      setMissing(false);
    };
  }, [passkeyNote, loadPart]);
  return (
    isMissing &&
    !part && (
      <p data-part="field-error" role="alert">
        <Unloaded t={t} />
      </p>
    )
  );
}
