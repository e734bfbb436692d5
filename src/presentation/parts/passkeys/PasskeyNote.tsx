import { useEffect, useState, type ComponentType } from 'react';
import { codeLoad } from '#domain/code-loads.ts';
import { productsOf } from '#domain/widget/widget-config.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { addTexts } from '../../messages/catalogue.ts';
import { Unloaded } from '../../components/Unloaded.tsx';
import type { PasskeyNoteProps } from '../parts.ts';

/**
 * The content after the button for passkeys: the notice after the link led to no login, with an alternative, and the sign-up with a
 * passkey, whose code is loaded only if the host enables it. The notice's element is always in the page, so that screen readers announce
 * the text.
 */
export function PasskeyNote({ entry, state }: PasskeyNoteProps) {
  const { config, t } = useWidget();
  const [SignUp, setSignUp] = useState<ComponentType<PasskeyNoteProps> | null>(null);
  const [failed, setFailed] = useState(false);
  const { passkeyNote: note } = state;
  // If there are passwords, the form for a new one contains it.
  const wantsSignUp = config.passkeyOptions?.signUp && !productsOf(config).includes('passwords');
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { PasskeySignUp, texts } = await codeLoad(import('./PasskeySignUp.tsx'));
      addTexts(texts);
      setSignUp(() => PasskeySignUp);
    };
    if (wantsSignUp) load().catch(() => setFailed(true));
  }, [wantsSignUp]);
  return (
    <>
      {entry === 'link' && <output data-part="passkey-note">{note !== null && t(`passkeyLink.${note}`)}</output>}
      {wantsSignUp && SignUp && <SignUp entry={entry} state={state} />}
      {failed && (
        <p role="alert">
          <Unloaded t={t} />
        </p>
      )}
    </>
  );
}
