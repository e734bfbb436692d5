import type { Consent, ConsentEntry, ConsentList } from '../../../domain/consent.ts';
import type { WidgetState } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Logo, ScreenFrame } from '../../components/ScreenFrame.tsx';
import { Message } from '../login/Message.tsx';

interface Props {
  readonly consent: Extract<Consent, { readonly status: 'consentRequired' }>;
  readonly state: WidgetState;
}

/** The consent page: the app, its requests, and the destination of the answer (specification, section 2). */
export function ConsentPage({ consent, state: { bootstrap, error, pending } }: Props) {
  const { model, styles, t } = useWidget();
  const { projectName } = bootstrap;
  const { account, host, onDevice, lists, ungrantable, canAllow } = consent;
  const clientName = consent.clientName ?? t('consent.theApp');
  const id = consent.standardOnly ? 'consent.title.standard' : 'consent.title.custom';
  return (
    <>
      <div data-part="marks">
        <Logo url={styles?.logo?.logoImageUrl} name={projectName} isOwn />
        <Logo url={consent.logoUrl} name={clientName} />
      </div>
      <ScreenFrame title={<Message id={id} values={{ clientName, projectName }} />}>
        {(host !== null || onDevice) && (
          <p data-part="host">
            {host === null ? t('consent.host.device') : <Message id="consent.host" values={{ host }} />}
          </p>
        )}
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

function Entry({ entry }: { readonly entry: ConsentEntry }) {
  const { t } = useWidget();
  const text = 'scope' in entry ? t(`scope.${entry.scope}`) : entry.text;
  const details = 'scope' in entry ? [t(`scope.${entry.scope}.details`)] : (entry.details ?? []);
  if (details.length === 0) {
    return (
      <span data-part="line">
        <bdi>{text}</bdi>
      </span>
    );
  }
  return (
    <details>
      <summary>
        <bdi>{text}</bdi>
        <Icon name="expand" />
      </summary>
      <ul data-part="more">
        {details.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of one entry have no other identity
          <li key={index}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface EntriesProps {
  readonly lists: readonly ConsentList[];
  readonly clientName: string;
}

/** The app's requests, each with details that unfold. Names that a host or an app gave are shown as plain text. */
function ConsentEntries({ lists, clientName }: EntriesProps) {
  return lists.map(({ header, entries }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- sections have no other identity
    <section key={index} data-part="asked">
      <h2 data-part="subtitle">
        {header === null ? <Message id="consent.requests" values={{ clientName }} /> : <bdi>{header}</bdi>}
      </h2>
      <ul data-part="entries">
        {entries.map((entry, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries have no other identity
          <li key={place}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  ));
}
