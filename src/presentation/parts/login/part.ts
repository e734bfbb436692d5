import { addTexts } from '../../messages/catalogue.ts';
import { emailed } from '../../messages/en/login.ts';
import css from '../../theme/parts/emailed.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';
import { AuthenticateFlowComplete } from './AuthenticateFlowComplete.tsx';
import { EmailConfirmation } from './EmailConfirmation.tsx';
import { OTPAuthenticate } from './OTPAuthenticate.tsx';
import { OTPConfirmation } from './OTPConfirmation.tsx';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

/** The screens behind a link or a passcode, and what errors and toasts say: every login page may need them. */
addTexts(emailed);
addStyles(css);

export const screens: LateScreens<ScreensOf<'emailed'>> = {
  EmailConfirmation,
  OTPAuthenticate,
  OTPConfirmation,
  AuthenticateFlowComplete,
};

export { ErrorMessage } from './ErrorMessage.tsx';
export { Toast } from './Toast.tsx';
