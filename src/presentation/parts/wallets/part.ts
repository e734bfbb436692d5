import { addTexts } from '../../messages/catalogue.ts';
import { wallets } from '../../messages/en/wallets.ts';
import { CryptoConnect } from './CryptoConnect.tsx';
import { CryptoSignMessage } from './CryptoSignMessage.tsx';
import { CryptoOtherScreen } from './CryptoOtherScreen.tsx';
import { CryptoSetupWallet } from './CryptoSetupWallet.tsx';
import { CryptoError } from './CryptoError.tsx';
import { CryptoConfirmation } from './CryptoConfirmation.tsx';
import { addStyles } from '../../theme/stylesheet.ts';
import css from '../../theme/parts/wallets.css?inline';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

addTexts(wallets);
addStyles(css);

export const screens: LateScreens<ScreensOf<'wallets'>> = {
  CryptoConnect,
  CryptoSignMessage,
  CryptoOtherScreen,
  CryptoSetupWallet,
  CryptoError,
  CryptoConfirmation,
};

export { WalletList } from './WalletList.tsx';
export { AnyWalletMark } from './WalletMark.tsx';
