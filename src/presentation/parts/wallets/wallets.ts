import { moreWallets } from '#domain/wallets/wallets.ts';
import { wallets as texts } from '../../messages/en/wallets.ts';
import css from '../../theme/parts/wallets.css?inline';
import { confirmation } from '../../components/confirmation.tsx';
import type { Parts } from '../parts.ts';
import { CryptoError } from './CryptoError.tsx';
import { CryptoOtherScreen } from './CryptoOtherScreen.tsx';
import { CryptoSetupWallet } from './CryptoSetupWallet.tsx';
import { WalletList } from './WalletList.tsx';
import { AnyWalletMark } from './WalletMark.tsx';
import { walletWait } from './WalletWait.tsx';

/** The screens of the crypto wallets, and the list of found wallets for the first screen. */
export const part: Parts['wallets'] = {
  texts,
  styles: [css],
  screens: {
    CryptoConnect: walletWait('cryptoConnect'),
    CryptoSignMessage: walletWait('cryptoSignMessage'),
    CryptoOtherScreen,
    CryptoSetupWallet,
    CryptoError,
    CryptoConfirmation: confirmation('cryptoConfirmation'),
  },
  WalletList,
  AnyWalletMark,
  moreWallets,
};
