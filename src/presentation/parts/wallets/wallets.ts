import { wallets as texts } from '../../messages/en/wallets.ts';
import css from '../../theme/parts/wallets.css?inline';
import type { Parts } from '../parts.ts';
import { CryptoConfirmation } from './CryptoConfirmation.tsx';
import { CryptoConnect } from './CryptoConnect.tsx';
import { CryptoError } from './CryptoError.tsx';
import { CryptoOtherScreen } from './CryptoOtherScreen.tsx';
import { CryptoSetupWallet } from './CryptoSetupWallet.tsx';
import { CryptoSignMessage } from './CryptoSignMessage.tsx';
import { WalletList } from './WalletList.tsx';
import { AnyWalletMark } from './WalletMark.tsx';

/** The screens of the crypto wallets, and the wallets that were found, for the first screen. */
export const part: Parts['wallets'] = {
  texts,
  styles: [css],
  screens: {
    CryptoConnect,
    CryptoSignMessage,
    CryptoOtherScreen,
    CryptoSetupWallet,
    CryptoError,
    CryptoConfirmation,
  },
  WalletList,
  AnyWalletMark,
};
