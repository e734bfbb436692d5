import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { partOf } from '../hooks/useParts.ts';
import { useWalletSlots } from '../hooks/useWalletSlots.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from './Button.tsx';

/** Main's wallets: those that were found and have room, with their marks, and the way to the others. */
export function WalletButtons({ state }: { readonly state: WidgetState }) {
  const { model, t } = useWidget();
  const { shown } = useWalletSlots(state);
  const part = partOf('wallets');
  const off = state.pending !== null;
  return (
    <>
      {part && <part.WalletList wallets={shown} off={off} />}
      <Button
        look="secondary"
        off={off}
        mark={part && <part.AnyWalletMark />}
        onPress={() => model.send({ type: 'wallet/othersOpened' })}
      >
        {t('wallets.others')}
      </Button>
    </>
  );
}
