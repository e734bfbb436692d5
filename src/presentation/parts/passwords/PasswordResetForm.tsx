import type { ScreenOf } from '#domain/screens/screen.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { KnownEmail } from './KnownEmail.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { sendsPassword } from './useFieldError.ts';
import { ResetLink } from './ResetLink.tsx';
import { SpentReset } from './SpentReset.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'PasswordResetForm'>;
  readonly state: ScreenState;
}

export function PasswordResetForm({ screen, state }: Props) {
  const { model, t } = useWidget();
  if (screen.tokenType === 'login') return <ResetLink state={state} />;
  if (screen.tokenType === 'spent') return <SpentReset state={state} />;
  const { pending } = state;
  return (
    <ScreenFrame title={t('passwordReset.title')} onBack={() => model.send({ type: 'back' })}>
      <NewPasswordForm
        email={screen.email ?? ''}
        label={t('password.newField')}
        strength={state.strength}
        error={state.error}
        isOfPassword={sendsPassword(state.failed)}
        off={pending !== null}
        busy={pending === 'password/resetSubmitted'}
        onSubmit={(password) => model.send({ type: 'password/resetSubmitted', password })}
      >
        {screen.email !== undefined && <KnownEmail email={screen.email} />}
      </NewPasswordForm>
      <div data-part="option">
        <Button
          look="secondary"
          busy={pending === 'resetLink/opened'}
          off={pending !== null}
          onPress={() => model.send({ type: 'resetLink/opened' })}
        >
          {t('password.without')}
        </Button>
      </div>
    </ScreenFrame>
  );
}
