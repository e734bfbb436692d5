import type { ScreenName } from '../../domain/screens/screen.ts';
import type { Translate } from '../messages/translate.ts';

/** What a screen is called when it is announced. */
export function titleOf(screen: ScreenName, t: Translate): string {
  switch (screen) {
    case 'Main':
      return t('main.title');
    case 'EmailConfirmation':
      return t('emailConfirmation.title');
    case 'OTPAuthenticate':
      return t('otp.title');
    case 'OTPConfirmation':
      return t('otpConfirmation.title');
    case 'AuthenticateFlowComplete':
      return t('complete.title');
  }
}
