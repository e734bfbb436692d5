import { addTexts } from '../../messages/catalogue.ts';
import { wallets } from '../../messages/en/wallets.ts';
import { CryptoConnect } from '../CryptoConnect.tsx';
import { CryptoSignMessage } from '../CryptoSignMessage.tsx';
import { CryptoOtherScreen } from '../CryptoOtherScreen.tsx';
import { CryptoSetupWallet } from '../CryptoSetupWallet.tsx';
import { CryptoError } from '../CryptoError.tsx';
import { CryptoConfirmation } from '../CryptoConfirmation.tsx';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

addTexts(wallets);

export const screens: LateScreens<ScreensOf<'wallets'>> = {
  CryptoConnect,
  CryptoSignMessage,
  CryptoOtherScreen,
  CryptoSetupWallet,
  CryptoError,
  CryptoConfirmation,
};

export { WalletList } from '../../components/WalletList.tsx';
