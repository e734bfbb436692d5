import type { WalletKind } from '../../../domain/wallets.ts';
import { Icon } from '../../components/Icon.tsx';
import { WalletMark } from './WalletMark.tsx';

/** The wallet that is waited for. */
export function WalletWait({ wallet }: { readonly wallet: WalletKind }) {
  return (
    <div data-part="wallet-wait">
      <Icon name="spinner" />
      <WalletMark wallet={wallet} />
    </div>
  );
}
