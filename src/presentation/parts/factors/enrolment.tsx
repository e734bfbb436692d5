import { useEffect } from 'react';
import { blamesPhone, type PhoneMethod } from '#domain/contacts/phone.ts';
import type { NewTotp } from '#domain/sessions/new-totp.ts';
import type { MfaFactor } from '#domain/sessions/mfa.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { QrPlace } from '../../components/QrPlace.tsx';
import { RecoveryCodes } from '../../components/RecoveryCodes.tsx';
import { useCopy } from '../../hooks/useCopy.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { PhoneForm } from '../../main/PhoneForm.tsx';
import { FormFrame, Trust, type FormProps } from './FormFrame.tsx';
import { AppCode } from './proofs.tsx';

type NewFactor = Exclude<MfaFactor, 'recovery_code'>;
const isNew = (factor: MfaFactor): factor is NewFactor => factor !== 'recovery_code';

/** The list of the factors that the user can add. The login needs one of them. */
export function Enrolment({ flow }: FormProps) {
  const { model, t } = useWidget();
  const id = useOwnId();
  const { enrol } = flow.step;
  const press = (factor: NewFactor): void => {
    if (factor === 'webauthn') model.send({ type: 'factor/asked', request: { kind: 'addPasskey' } });
    else if (factor === 'totp') model.send({ type: 'factor/asked', request: { kind: 'createTotp' } });
    else model.send({ type: 'factor/opened', task: { kind: 'addPhone', channel: factor } });
  };
  const doing = flow.at === 'working' ? flow.doing : null;
  const requests = { webauthn: 'addPasskey', totp: 'createTotp' } as const;
  return (
    <FormFrame flow={flow} title={t('factor.enrol.title')}>
      <p data-part="text">{t('factor.enrol.text')}</p>
      <ErrorBanner error={flow.error} />
      <ul data-part="ways">
        {enrol.filter(isNew).map((factor, place) => {
          const isBusy = factor in requests && requests[factor as keyof typeof requests] === doing;
          return (
            <li key={factor}>
              <Button
                look={place === 0 ? 'primary' : 'secondary'}
                busy={isBusy}
                off={doing !== null && !isBusy}
                onPress={() => press(factor)}
              >
                {t(`factor.enrol.${factor}`)}
              </Button>
              <p data-part="details" id={`${id}-${factor}`}>
                {t(`factor.enrol.${factor}.text`)}
              </p>
            </li>
          );
        })}
      </ul>
      <Trust flow={flow} />
    </FormFrame>
  );
}

interface NewAppProps extends FormProps {
  readonly totp: NewTotp;
}

/** The QR code of a new authenticator app, and its key for typing. */
export function Scan({ flow, totp }: NewAppProps) {
  const { model, t } = useWidget();
  const [copied, copy] = useCopy(t('factor.copied'));
  // Groups of four are easier to type; the spaces are not part of the key.
  const key = totp.secret.replaceAll(/(.{4})(?=.)/gu, '$1 ');
  return (
    <FormFrame flow={flow} title={t('factor.scan.title')} before={{ kind: 'enrolment' }}>
      <p data-part="text">{t('factor.scan.text')}</p>
      <QrPlace text={totp.uri} label={t('factor.scan.qr')} />
      <p data-part="label">{t('factor.scan.key')}</p>
      <p data-part="secret" dir="ltr" translate="no">
        {key}
      </p>
      <Button look="link" onPress={() => copy(totp.secret)}>
        {t(copied ? 'factor.copied' : 'factor.scan.copy')}
      </Button>
      <div data-part="actions">
        <Button
          look="primary"
          onPress={() =>
            model.send({
              type: 'factor/opened',
              task: { kind: totp.recoveryCodes.length > 0 ? 'save' : 'confirm', totp },
            })
          }
        >
          {t('factor.continue')}
        </Button>
      </div>
    </FormFrame>
  );
}

/**
 * The recovery codes of a new app. They are shown before the first code is entered, because a host may remove the widget as soon as there
 * is a session.
 */
export function SaveCodes({ flow, totp }: NewAppProps) {
  const { model, t } = useWidget();
  return (
    <FormFrame flow={flow} title={t('factor.save.title')} before={{ kind: 'scan', totp }}>
      <p data-part="text">{t('factor.save.text')}</p>
      <RecoveryCodes
        codes={totp.recoveryCodes}
        texts={{
          title: t('factor.save.title'),
          copy: t('factor.save.copy'),
          copied: t('factor.copied'),
          download: t('factor.save.download'),
          print: t('factor.save.print'),
        }}
      />
      <div data-part="actions">
        <Button look="primary" onPress={() => model.send({ type: 'factor/opened', task: { kind: 'confirm', totp } })}>
          {t('factor.save.done')}
        </Button>
      </div>
    </FormFrame>
  );
}

/** The first code of a new app, which completes the login. */
export function Confirm({ flow, totp }: NewAppProps) {
  const { t } = useWidget();
  return (
    <FormFrame flow={flow} title={t('factor.confirm.title')} before={{ kind: 'scan', totp }}>
      <AppCode flow={flow} text={t('factor.confirm.text')} kind="totp" />
      <Trust flow={flow} />
    </FormFrame>
  );
}

/** The form for a phone number that becomes the second factor. */
export function AddPhone({
  flow,
  state,
  channel,
}: FormProps & { readonly state: ScreenState; readonly channel: PhoneMethod }) {
  const { model, loadPart, t } = useWidget();
  useEffect(() => {
    loadPart('phones').catch(() => undefined);
  }, [loadPart]);
  const isOfNumber = flow.failed === 'addPhone' && blamesPhone(flow.error, 'phone/requested');
  const isBusy = flow.at === 'working';
  return (
    <FormFrame flow={flow} title={t('factor.phone.title')} before={{ kind: 'enrolment' }}>
      <ErrorBanner error={isOfNumber ? null : flow.error} />
      <PhoneForm
        method={channel}
        initial={undefined}
        phone={state.phone}
        busy={isBusy && flow.doing === 'addPhone'}
        off={isBusy}
        error={isOfNumber ? flow.error : null}
        onSubmit={(entry) => model.send({ type: 'factor/asked', request: { kind: 'addPhone', channel, ...entry } })}
      />
    </FormFrame>
  );
}
