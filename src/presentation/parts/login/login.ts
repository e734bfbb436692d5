import { login as loginTexts } from '../../messages/en/login.ts';
import { social as socialTexts } from '../../messages/en/social.ts';
import { confirmation } from '../../components/confirmation.tsx';
import type { Parts } from '../parts.ts';
import { DeclinedAt } from '../social/DeclinedAt.tsx';
import { OneTap } from '../social/OneTap.tsx';
import { EmailConfirmation } from './EmailConfirmation.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { LastUsed } from './LastUsed.tsx';
import { OTPAuthenticate } from './Passcode.tsx';
import { EmailHint } from './EmailHint.tsx';
import { PasskeyNote } from './PasskeyNote.tsx';
import { Toast } from './Toast.tsx';
import { CardEffects } from './CardEffects.ts';
import { adoptSheet, withSheet } from './sheet.ts';

/**
 * The screens for links and passcodes, the texts of errors and toasts, and the additions to the buttons of the social logins. Every
 * login page may need them. Without interaction they change nothing on the page, because their style sheet is adopted on first use
 * (`sheet.ts`).
 */
export const part: Parts['login'] = {
  texts: { ...loginTexts, ...socialTexts },
  styles: [],
  screens: {
    EmailConfirmation: withSheet(EmailConfirmation),
    OTPAuthenticate: withSheet(OTPAuthenticate),
    OTPConfirmation: withSheet(confirmation('otpConfirmation')),
    AuthenticateFlowComplete: withSheet(confirmation('complete')),
  },
  ErrorMessage: withSheet(ErrorMessage),
  EmailHint,
  Toast: withSheet(Toast),
  CardEffects,
  LastUsed,
  PasskeyNote,
  DeclinedAt: withSheet(DeclinedAt),
  OneTap: withSheet(OneTap),
  adoptSheet,
};
