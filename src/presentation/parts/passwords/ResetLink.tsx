import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';

/** The reset page, opened by a login link, whose token is sent immediately. */
export function ResetLink({ state: { error, pending } }: { readonly state: ScreenState }) {
  const { model, t } = useWidget();
  const back = (): void => model.send({ type: 'back' });
  if (error === null || pending !== null) {
    return (
      <ScreenFrame title={t('passwordReset.loggingIn')} onBack={back}>
        <p data-part="spinner">
          <Icon name="spinner" />
        </p>
      </ScreenFrame>
    );
  }
  return (
    <ScreenFrame mark="alert" title={t('passwordReset.failed')}>
      <ErrorBanner error={error} />
      <div data-part="option">
        {error.kind === 'unreachable' && (
          <Button look="primary" onPress={() => model.send({ type: 'resetLink/opened' })}>
            {t('password.tryAgain')}
          </Button>
        )}
        <Button look={error.kind === 'unreachable' ? 'secondary' : 'primary'} onPress={back}>
          {t('failure.back')}
        </Button>
      </div>
    </ScreenFrame>
  );
}
