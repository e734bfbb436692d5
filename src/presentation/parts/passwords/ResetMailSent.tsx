import { writtenEmail } from '#domain/contacts/international-domain.ts';
import type { ResetMailScreen } from '#domain/screens/event.ts';
import type { ScreenOf } from '#domain/screens/screen.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { overlaid } from '../../messages/catalogue.ts';
import { errorTexts } from '../../messages/en/errors.ts';
import { Mailboxes } from '../login/Mailboxes.tsx';
import { Message } from '../login/Message.tsx';
import { EmailInstead } from './EmailInstead.tsx';
import { ResendMail } from './ResendMail.tsx';

interface Props {
  readonly screen: ScreenOf<ResetMailScreen>;
  readonly state: ScreenState;
}

const BREACHED = 'error.breached_password';

/** The title of each screen, and the text that names the address. */
const TEXTS = {
  PasswordForgot: ['passwordForgot.title', 'passwordForgot.text'],
  PasswordSetNew: ['passwordSetNew.title', 'passwordSetNew.text'],
  PasswordDedupe: ['passwordDedupe.title', 'passwordDedupe.text'],
  required: ['passwordRequired.title', 'passwordRequired.sent'],
} as const;

/** The screens with the reason for a reset email. Each has a way back and a button for another email. */
export function ResetMailSent({ screen, state }: Props) {
  const { model, strings, t } = useWidget();
  const { name, email } = screen;
  const isBreached = name === 'PasswordBreached';
  // The password must be set by an emailed link, which proves the identity of the user.
  const isRequired = isBreached || (name === 'PasswordDedupe' && screen.reason === 'required');
  const [title, text] = TEXTS[isRequired ? 'required' : name];
  return (
    <ScreenFrame title={t(title)} onBack={() => model.send({ type: 'back' })}>
      {isBreached && <p data-part="breached">{overlaid(BREACHED, strings) ?? errorTexts[BREACHED]}</p>}
      {isRequired && <p data-part="text">{t('passwordRequired.text')}</p>}
      <p data-part="text">
        <Message id={text} values={{ email: writtenEmail(email) }} />
      </p>
      <Mailboxes email={email} onlyOwn />
      {name === 'PasswordForgot' && (
        <EmailInstead email={email} pending={state.pending} label={t('password.without')} />
      )}
      <ErrorBanner error={state.error} />
      <ResendMail state={state} intent={{ type: 'password/resendRequested', email }} />
    </ScreenFrame>
  );
}
