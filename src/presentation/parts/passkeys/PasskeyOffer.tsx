import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

/** After a login: one press creates a passkey for the next one. Declining it is as easy. */
export function PasskeyOffer({ state }: ScreenProps<'PasskeyOffer'>) {
  const { model, t } = useWidget();
  const busy = state.pending !== null;
  return (
    <ScreenFrame mark="tick" title={t('passkeyOffer.title')}>
      <p data-part="text">{t('passkeyOffer.text')}</p>
      <ErrorBanner error={state.error} />
      <div data-part="actions">
        <Button look="primary" busy={busy} onPress={() => model.send({ type: 'passkey/createRequested' })}>
          {t('passkeys.start.create')}
        </Button>
        <Button look="secondary" onPress={() => model.send({ type: 'passkey/skipped' })}>
          {t('passkeyOffer.later')}
        </Button>
      </div>
    </ScreenFrame>
  );
}
