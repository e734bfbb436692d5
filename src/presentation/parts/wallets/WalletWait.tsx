import type { WalletKind } from '#domain/wallets/wallets.ts';
import { Icon } from '../../components/Icon.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { WalletMark } from './WalletMark.tsx';

interface Props {
  readonly screen: { readonly wallet: WalletKind };
}

/** The screen while the wallet is open: the wallet, and the step to confirm in it. */
export function walletWait(name: 'cryptoConnect' | 'cryptoSignMessage') {
  return function WalletWait({ screen }: Props) {
    const { model, t } = useWidget();
    return (
      <ScreenFrame title={t(`${name}.title`)} onBack={() => model.send({ type: 'back' })}>
        <p data-part="text">{t(`${name}.text`)}</p>
        <div data-part="wallet-wait">
          <Icon name="spinner" />
          <WalletMark wallet={screen.wallet} />
        </div>
      </ScreenFrame>
    );
  };
}
