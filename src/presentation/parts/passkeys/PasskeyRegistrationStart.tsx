import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { NoPasskeyUser } from './NoPasskeyUser.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

export function PasskeyRegistrationStart({ screen, state }: ScreenProps<'PasskeyRegistrationStart'>) {
  const { model, t } = useWidget();
  const { creation } = screen;
  if (state.passkeys === null) return <NoPasskeyUser />;
  return (
    <ScreenFrame title={t('passkeys.start.title')}>
      <p data-part="text">{t('passkeys.start.subtitle')}</p>
      <div data-part="about">
        <Icon name="passkey" />
        <p>{t('passkeys.start.text')}</p>
      </div>
      <output data-part="note">
        {(creation === 'elsewhere' || creation === 'none') && t(`passkeys.start.${creation}`)}
      </output>
      <ErrorBanner error={state.error} />
      <div data-part="actions">
        {creation !== 'none' && (
          <Button
            look="primary"
            busy={state.pending === 'passkey/createRequested'}
            onPress={() => model.send({ type: 'passkey/createRequested' })}
          >
            {t('passkeys.start.create')}
          </Button>
        )}
        <Button look="secondary" onPress={() => model.send({ type: 'passkey/skipped' })}>
          {t('passkeys.start.skip')}
        </Button>
      </div>
    </ScreenFrame>
  );
}
