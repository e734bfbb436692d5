import { login as texts } from '../../messages/en/login.ts';
import emailedCss from '../../theme/parts/emailed.css?inline';
import passcodeCss from '../../theme/parts/passcode.css?inline';
import { confirmation } from '../../components/ScreenFrame.tsx';
import type { Parts } from '../parts.ts';
import { EmailConfirmation } from './EmailConfirmation.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { OTPAuthenticate } from './Passcode.tsx';
import { Toast } from './Toast.tsx';
import { Watermark } from './Watermark.tsx';

/** The screens for links and passcodes, and the texts of errors and toasts. Every login page may need them. */
export const part: Parts['login'] = {
  texts,
  styles: [emailedCss, passcodeCss],
  screens: {
    EmailConfirmation,
    OTPAuthenticate,
    OTPConfirmation: confirmation('otpConfirmation'),
    AuthenticateFlowComplete: confirmation('complete'),
  },
  ErrorMessage,
  Toast,
  Watermark,
};
