import { login as loginTexts } from '../../messages/en/login.ts';
import { social as socialTexts } from '../../messages/en/social.ts';
import dangerCss from '../../theme/parts/danger.css?inline';
import statesCss from '../../theme/parts/states.css?inline';
import emailedCss from '../../theme/parts/emailed.css?inline';
import passcodeCss from '../../theme/parts/passcode.css?inline';
import socialCss from '../../theme/parts/social.css?inline';
import { confirmation } from '../../components/confirmation.tsx';
import type { Parts } from '../parts.ts';
import { DeclinedAt } from '../social/DeclinedAt.tsx';
import { OneTap } from '../social/OneTap.tsx';
import { EmailConfirmation } from './EmailConfirmation.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { OTPAuthenticate } from './Passcode.tsx';
import { EmailHint } from './EmailHint.tsx';
import { Toast } from './Toast.tsx';
import { CardFoot } from './CardFoot.tsx';

/**
 * The screens for links and passcodes, the texts of errors and toasts, and the additions to the buttons of the social logins.
 * Every login page may need them. They arrive together, so that the page is laid out once for all of them.
 */
export const part: Parts['login'] = {
  texts: { ...loginTexts, ...socialTexts },
  styles: [statesCss + dangerCss + emailedCss + passcodeCss + socialCss],
  screens: {
    EmailConfirmation,
    OTPAuthenticate,
    OTPConfirmation: confirmation('otpConfirmation'),
    AuthenticateFlowComplete: confirmation('complete'),
  },
  ErrorMessage,
  EmailHint,
  Toast,
  CardFoot,
  DeclinedAt,
  OneTap,
};
