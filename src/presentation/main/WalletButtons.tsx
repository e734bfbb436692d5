import type { ScreenState } from '../../domain/screens/widget-state.ts';
import { usePart } from '../parts/parts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from '../components/Button.tsx';

/**
 * Main's wallets: those that were found and have room, and the button for other wallets, which shows from the start. When no
 * wallet was found, a button to set one up replaces it.
 */
export function WalletButtons({ state }: { readonly state: ScreenState }) {
  const { model, t } = useWidget();
  const part = usePart('wallets');
  const none = part !== null && state.wallets?.length === 0;
  return (
    <>
      {part && <part.WalletList state={state} slot="shown" />}
      <Button
        look="secondary"
        off={state.pending !== null}
        mark={part && <part.AnyWalletMark />}
        onPress={() => model.send({ type: none ? 'wallet/setupOpened' : 'wallet/othersOpened' })}
      >
        {t(none ? 'cryptoOther.setup' : 'wallets.others')}
      </Button>
    </>
  );
}
