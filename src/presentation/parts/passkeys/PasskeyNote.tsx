import { useEffect, useState, type ComponentType } from 'react';
import { codeLoad } from '#domain/code-loads.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { addTexts } from '../../messages/catalogue.ts';
import { Unloaded } from '../../components/Unloaded.tsx';
import type { PasskeyNoteProps, Parts } from '../parts.ts';

/**
 * The content after the button for passkeys: the notice after the link led to no login, with an alternative, and the sign-up with a
 * passkey, whose code is loaded only if the host enables it. The notice's element is always in the page, so that screen readers announce
 * the text.
 */
export const PasskeyNote: Parts['passkeys']['PasskeyNote'] = ({ entry, state, hasSignUp }) => {
  const { t } = useWidget();
  const [SignUp, setSignUp] = useState<ComponentType<PasskeyNoteProps> | null>(null);
  const [failed, setFailed] = useState(false);
  const { passkeyNote: note } = state;
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { PasskeySignUp, texts } = await codeLoad(import('./PasskeySignUp.tsx'));
      addTexts(texts);
      setSignUp(() => PasskeySignUp);
    };
    if (hasSignUp) load().catch(() => setFailed(true));
  }, [hasSignUp]);
  return (
    <>
      {entry === 'link' && <output data-part="passkey-note">{note !== null && t(`passkeyLink.${note}`)}</output>}
      {hasSignUp && SignUp && <SignUp entry={entry} state={state} />}
      {failed && (
        <p role="alert">
          <Unloaded t={t} />
        </p>
      )}
    </>
  );
};
