import { useEffect, useState } from 'react';
import { productsOf } from '#domain/widget/widget-config.ts';
import { Unloaded } from '../../components/Unloaded.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { usePart, type PasskeyNoteProps } from '../parts.ts';

/**
 * The content after the button for passkeys, whose code is loaded ahead. If it is missing when a note or the sign-up needs it, the screen
 * says so.
 */
export function PasskeyNote({ entry, state }: PasskeyNoteProps) {
  const { config, loadPart, t } = useWidget();
  const part = usePart('passkeys');
  const [failed, setFailed] = useState(false);
  // If there are passwords, the form for a new one contains it.
  const hasSignUp = config.passkeyOptions?.signUp === true && !productsOf(config).includes('passwords');
  const isNeeded = hasSignUp || state.passkeyNote !== null;
  useEffect(() => {
    if (isNeeded) loadPart('passkeys').catch(() => setFailed(true));
  }, [isNeeded, loadPart]);
  if (part) return <part.PasskeyNote {...{ entry, state, hasSignUp }} />;
  return (
    failed &&
    isNeeded && (
      <p role="alert">
        <Unloaded t={t} />
      </p>
    )
  );
}
