import type { Consent } from '#domain/consent/consent.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { Message } from '../login/Message.tsx';
import { AppMarks } from './AppMarks.tsx';
import { ConsentVerdict } from './ConsentVerdict.tsx';
import { ConsentEntries } from './ConsentEntries.tsx';
import { DestinationText } from './DestinationText.tsx';
import { DeviceOrigin } from './DeviceOrigin.tsx';
import { TakeBack } from './TakeBack.tsx';

interface Props {
  readonly consent: Extract<Consent, { readonly status: 'consentRequired' }>;
  readonly state: ScreenState;
}

/** The consent page: the app, its requests, and the destination of the response (specification, section 2). */
export function ConsentPage({ consent, state: { error, pending } }: Props) {
  const { model, styles, t, language } = useWidget();
  const { projectName } = useBootstrap();
  const { account, accountUrl, lists, ungrantable, canAllow, isLasting, resources } = consent;
  const resourceList = new Intl.ListFormat(language).format(resources ?? []);
  const clientName = consent.clientName ?? t('consent.theApp');
  const id = consent.standardOnly ? 'consent.title.standard' : 'consent.title.custom';
  return (
    <>
      <AppMarks
        project={{ name: projectName, logoUrl: styles?.logo?.logoImageUrl }}
        app={{ name: clientName, logoUrl: consent.logoUrl }}
      />
      <ScreenFrame title={<Message id={id} values={{ clientName, projectName }} />}>
        <DestinationText destination={consent} />
        <ConsentVerdict consent={consent} projectName={projectName} />
        {resources !== undefined && (
          <p data-part="resources">
            <Message id="consent.resources" values={{ resources: resourceList }} />
          </p>
        )}
        {consent.device !== undefined && <DeviceOrigin device={consent.device} />}
        <div data-part="account">
          {account !== null && (
            <p>
              <Message id="consent.account" values={{ account }} />
            </p>
          )}
          <Button
            look="link"
            busy={pending === 'consent/switched'}
            off={pending !== null}
            onPress={() => model.send({ type: 'consent/switched' })}
          >
            {t('consent.switch')}
          </Button>
        </div>
        {ungrantable.length > 0 && (
          <details data-part="notice" open={!canAllow}>
            <summary>
              <span>
                <Message id="consent.ungrantable.notice" values={{ clientName }} />
              </span>
              <Icon name="expand" />
            </summary>
            <div data-part="more">
              <p>
                <Message id="consent.ungrantable.header" values={{ clientName }} />
              </p>
              <ul>
                {ungrantable.map((description, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- two scopes may read the same
                  <li key={index}>
                    <bdi>{description}</bdi>
                  </li>
                ))}
              </ul>
            </div>
          </details>
        )}
        <ConsentEntries lists={lists} clientName={clientName} />
        {canAllow && !isLasting && <p data-part="lifetime">{t('consent.lifetime')}</p>}
        {canAllow && <TakeBack url={accountUrl} projectName={projectName} />}
        <ErrorBanner error={error} />
        <div data-part="actions">
          <Button
            look="primary"
            busy={pending === 'consent/allowed'}
            off={!canAllow || pending !== null}
            onPress={() => model.send({ type: 'consent/allowed' })}
          >
            {t('consent.allow')}
          </Button>
          <Button
            look="secondary"
            busy={pending === 'consent/denied'}
            off={pending !== null}
            onPress={() => model.send({ type: 'consent/denied' })}
          >
            {t('consent.deny')}
          </Button>
        </div>
      </ScreenFrame>
    </>
  );
}
