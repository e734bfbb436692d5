import type { ScreenState } from '#domain/screens/widget-state.ts';
import { usePart } from '../parts/parts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from '../components/Button.tsx';
import { ProviderMark } from './ProviderMark.tsx';

/**
 * Main's wallets: the found ones that fit, and the button for the remaining ones. The button shows until the search has ended. When
 * no wallet was found, a button to set one up replaces it, and looks like a link beside other ways to log in.
 */
export function WalletButtons({ state }: { readonly state: ScreenState }) {
  const { model, layout, t } = useWidget();
  const part = usePart('wallets');
  const type = part ? part.moreWallets(state.wallets, layout.social.length) : 'wallet/othersOpened';
  return (
    <>
      {part && <part.WalletList state={state} slot="shown" />}
      {type && (
        <Button
          look={layout.groups[1] && type === 'wallet/setupOpened' ? 'link' : 'secondary'}
          off={state.pending !== null}
          mark={part ? <part.AnyWalletMark /> : <ProviderMark />}
          onPress={() => model.send({ type })}
        >
          {t(type === 'wallet/setupOpened' ? 'cryptoOther.setup' : 'wallets.others')}
        </Button>
      )}
    </>
  );
}
