import type { ScreenState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/**
 * The notice after the link for passkeys led to no login, with an alternative. Its element is always in the page, so that screen
 * readers announce the text.
 */
export function PasskeyNote({ note }: { readonly note: ScreenState['passkeyNote'] }) {
  const { t } = useWidget();
  return <output data-part="passkey-note">{note !== null && t(`passkeyLink.${note}`)}</output>;
}
