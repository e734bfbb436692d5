import { firstTask, recoveryStage } from '#domain/sessions/second-factor.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { useTime } from '../../hooks/useTime.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Message } from '../login/Message.tsx';
import { FormFrame, type FormProps } from './FormFrame.tsx';

/**
 * The removal of lost second factors, which takes effect after a wait. Only the messages about it have the links that stop and finish it,
 * so whoever began it also needs a mailbox or phone of the account.
 */
export function Recovery({ flow }: FormProps) {
  const { model } = useWidget();
  switch (recoveryStage(flow.step, model.clock.now())) {
    case 'none':
      return <Begin flow={flow} />;
    case 'waiting':
      return <Waiting flow={flow} />;
    case 'ready':
      return <Ready flow={flow} />;
  }
}

function Begin({ flow }: FormProps) {
  const { model, t, language } = useWidget();
  const { recovery } = flow.step;
  if (recovery === null) return null;
  const hours = new Intl.NumberFormat(language, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
  return (
    <FormFrame flow={flow} title={t('factor.recovery.title')} before={firstTask(flow.step)}>
      <p data-part="text">
        <Message id="factor.recovery.text" values={{ duration: hours.format(recovery.hours) }} />
      </p>
      <ul data-part="points">
        <li>{t('factor.recovery.told')}</li>
        <li>{t('factor.recovery.later')}</li>
        <li>{t('factor.recovery.end')}</li>
      </ul>
      <ErrorBanner error={flow.error} />
      <div data-part="actions">
        <Button
          look="primary"
          busy={flow.at === 'working'}
          onPress={() => model.send({ type: 'factor/asked', request: { kind: 'startRecovery' } })}
        >
          {t('factor.recovery.begin')}
        </Button>
      </div>
    </FormFrame>
  );
}

function Waiting({ flow }: FormProps) {
  const { t } = useWidget();
  const at = useTime('full');
  const { recovery_pending: pending } = flow.step;
  return (
    <FormFrame flow={flow} title={t('factor.recovery.wait.title')} before={firstTask(flow.step)}>
      <p data-part="text">
        <Message id="factor.recovery.wait.text" values={{ time: pending === null ? '' : at(pending.available_at) }} />
      </p>
      <p data-part="text">{t('factor.recovery.stop')}</p>
      <BackToLogin />
    </FormFrame>
  );
}

function Ready({ flow }: FormProps) {
  const { t } = useWidget();
  return (
    <FormFrame flow={flow} title={t('factor.recovery.ready.title')} before={firstTask(flow.step)}>
      <p data-part="text">{t('factor.recovery.ready.text')}</p>
      <BackToLogin />
    </FormFrame>
  );
}

function BackToLogin() {
  const { model, t } = useWidget();
  return (
    <div data-part="actions">
      <Button look="secondary" onPress={() => model.send({ type: 'back' })}>
        {t('factor.over.do')}
      </Button>
    </div>
  );
}
