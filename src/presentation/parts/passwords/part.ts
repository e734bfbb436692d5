import { addTexts } from '../../messages/catalogue.ts';
import { emailed } from '../../messages/en/login.ts';
import { passwords } from '../../messages/en/passwords.ts';
import { addStyles } from '../../theme/stylesheet.ts';
import css from '../../theme/parts/passwords.css?inline';
import { PasswordCreateOrLogin } from './PasswordCreateOrLogin.tsx';
import { PasswordForgot } from './PasswordForgot.tsx';
import { PasswordDedupe } from './PasswordDedupe.tsx';
import { PasswordBreached } from './PasswordBreached.tsx';
import { PasswordSetNew } from './PasswordSetNew.tsx';
import { PasswordResetForm } from './PasswordResetForm.tsx';
import { PasswordConfirmation } from './PasswordConfirmation.tsx';
import type { ScreensOf } from '../part-names.ts';
import type { LateScreens } from '../screen-props.ts';

// A passcode or a link may go out from these screens, too.
addTexts(emailed);
addTexts(passwords);
addStyles(css);

export const screens: LateScreens<ScreensOf<'passwords'>> = {
  PasswordCreateOrLogin,
  PasswordForgot,
  PasswordDedupe,
  PasswordBreached,
  PasswordSetNew,
  PasswordResetForm,
  PasswordConfirmation,
};
