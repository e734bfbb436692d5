import { passwords as texts } from '../../messages/en/passwords.ts';
import css from '../../theme/parts/passwords.css?inline';
import { confirmation } from '../../components/confirmation.tsx';
import type { Parts } from '../parts.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { PasswordCreateOrLogin } from './PasswordCreateOrLogin.tsx';
import { PasswordResetForm } from './PasswordResetForm.tsx';
import { ResetMailSent } from './ResetMailSent.tsx';

/** The screens of the password login. They can also send links and passcodes. */
export const part: Parts['passwords'] = {
  texts,
  styles: [css],
  NewPasswordForm,
  screens: {
    PasswordCreateOrLogin,
    PasswordForgot: ResetMailSent,
    PasswordDedupe: ResetMailSent,
    PasswordBreached: ResetMailSent,
    PasswordSetNew: ResetMailSent,
    PasswordResetForm,
    PasswordConfirmation: confirmation('passwordConfirmation'),
  },
};
