import { writtenEmail } from '#domain/contacts/international-domain.ts';
import type { PasswordlessMessage } from '#domain/screens/screen.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Mailboxes } from '../login/Mailboxes.tsx';
import { Message } from '../login/Message.tsx';
import { loginCode, PasscodeEntry } from '../login/Passcode.tsx';
import { ResendMail } from './ResendMail.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

interface Props {
  readonly email: string;
  readonly message: PasswordlessMessage | null;
  readonly state: ScreenState;
}

const TITLES = { link: 'emailConfirmation.title', code: 'otp.title', none: 'passwordLogin.title' } as const;

/** The screen for a user without a password: a link or a code is sent automatically, or the user can set a password. */
export function Passwordless({ email, message, state }: Props) {
  const { model, t } = useWidget();
  const { pending } = state;
  return (
    <ScreenFrame title={t(TITLES[message?.kind ?? 'none'])}>
      {message?.kind === 'code' ? (
        <PasscodeEntry otp={message.otp} {...loginCode(model, state)} />
      ) : (
        <Mailed email={email} isSent={message !== null} state={state} />
      )}
      <div data-part="option">
        <Button
          look="secondary"
          busy={pending === 'password/insteadRequested'}
          off={pending !== null}
          onPress={() => model.send({ type: 'password/insteadRequested', email })}
        >
          {t('passwordless.instead')}
        </Button>
        <p data-part="again">
          <Button look="link" onPress={() => model.send({ type: 'back' })}>
            {t('passwordless.otherEmail')}
          </Button>
        </p>
      </div>
    </ScreenFrame>
  );
}

interface MailedProps {
  readonly email: string;
  readonly isSent: boolean;
  readonly state: ScreenState;
}

/** The state of the sent mail, and the button to send it again. */
function Mailed({ email, isSent, state }: MailedProps) {
  const { pending, error } = state;
  const { model, t } = useWidget();
  const sending = pending === 'password/passwordlessRequested';
  const send = (): void => model.send({ type: 'password/passwordlessRequested', email });
  if (!isSent) {
    return (
      <>
        <p data-part="text">
          {sending && <Icon name="spinner" />}
          <Message
            id={sending ? 'passwordless.sending' : 'passwordless.failed'}
            values={{ email: writtenEmail(email) }}
          />
        </p>
        <ErrorBanner error={error} />
        {!sending && (
          <Button look="primary" off={pending !== null} onPress={send}>
            {t('password.tryAgain')}
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      <p data-part="text">
        <Message id="emailConfirmation.sent" values={{ email: writtenEmail(email) }} />
      </p>
      <Mailboxes email={email} />
      <ErrorBanner error={error} />
      <ResendMail state={state} intent={{ type: 'password/passwordlessRequested', email }} />
    </>
  );
}
