import type { PendingSubmit } from '#domain/screens/submits.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { productsOf, type LoginConfig } from '#domain/widget/widget-config.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { EmailOption } from './EmailOption.tsx';
import { KnownEmail } from './KnownEmail.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { sendsPassword } from './useFieldError.ts';
import { Button } from '../../components/Button.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

interface Props {
  readonly email: string;
  readonly state: ScreenState;
}

interface PasskeyInsteadProps {
  readonly email: string;
  readonly pending: PendingSubmit | null;
}

/** Whether the host enables the sign-up with a passkey. */
const hasPasskeySignUp = (config: LoginConfig): boolean =>
  config.passkeyOptions?.signUp === true && productsOf(config).includes('passkeys');

/** The button for a sign-up with a passkey and without a password. */
function PasskeyInstead({ email, pending }: PasskeyInsteadProps) {
  const { model, t } = useWidget();
  return (
    <Button
      look="secondary"
      busy={pending === 'passkey/createRequested'}
      off={pending !== null}
      onPress={() => model.send({ type: 'passkey/createRequested', email })}
    >
      {t('passwordNew.passkey')}
    </Button>
  );
}

/** The form for a new user. */
export function PasswordCreate({ email, state }: Props) {
  const { model, config, t } = useWidget();
  return (
    <ScreenFrame title={t('passwordNew.title')} onBack={() => model.send({ type: 'back' })}>
      <NewPasswordForm
        email={email}
        label={t('password.field')}
        strength={state.strength}
        error={state.error}
        isOfPassword={sendsPassword(state.failed)}
        off={state.pending !== null}
        busy={state.pending === 'password/createRequested'}
        onSubmit={(password) => model.send({ type: 'password/createRequested', email, password })}
      >
        <KnownEmail email={email} />
      </NewPasswordForm>
      <EmailOption
        email={email}
        pending={state.pending}
        more={hasPasskeySignUp(config) && <PasskeyInstead email={email} pending={state.pending} />}
      >
        <p data-part="choose">{t('passwordNew.choose')}</p>
      </EmailOption>
    </ScreenFrame>
  );
}
