import type { ScreenState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** Says why the link for passkeys led to no login, and what to do instead. It is always in the page, so that it is announced. */
export function PasskeyNote({ note }: { readonly note: ScreenState['passkeyNote'] }) {
  const { t } = useWidget();
  return <output data-part="passkey-note">{note !== null && t(`passkeyLink.${note}`)}</output>;
}
