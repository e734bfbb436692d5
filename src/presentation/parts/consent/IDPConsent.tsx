import { useRef, type RefObject } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { AuthError } from '#domain/errors.ts';
import { wayOutOf } from '#domain/screens/ways-out.ts';
import { Button } from '../../components/Button.tsx';
import { ConsentPage } from './ConsentPage.tsx';
import { DestinationText } from './DestinationText.tsx';
import { DeviceCode } from './DeviceCode.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Message } from '../login/Message.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { takeFocus } from '../../hooks/focus.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import type { ScreenProps } from '../parts.ts';

type Props = ScreenProps<'IDPConsent'>;

/** The current step of the authorize or logout flow (specification, sections 2 and 4). */
export function IDPConsent({ state }: Props) {
  const root = useRef<HTMLDivElement>(null);
  useStatusFocus(root, state.consent.status);
  return (
    <div ref={root}>
      <Standing state={state} />
    </div>
  );
}

function Standing({ state }: Pick<Props, 'state'>) {
  const { model, t } = useWidget();
  const { consent, pending } = state;
  const { projectName } = useBootstrap();
  switch (consent.status) {
    case 'loading':
      return (
        <output data-part="wait">
          <Icon name="spinner" />
          <span>{t('consent.loading')}</span>
        </output>
      );
    case 'consentRequired':
      return <ConsentPage consent={consent} state={state} />;
    case 'error':
      return (
        <ScreenFrame mark="alert" title={t('failure.title')}>
          <p data-part="text">
            {consent.error === null ? <span>{t('consent.error.text')}</span> : <ErrorText error={consent.error} />}
          </p>
          {consent.canRetry && !isFinal(consent.error) && (
            <Button look="primary" onPress={() => model.send({ type: 'consent/retried' })}>
              {t('consent.error.retry')}
            </Button>
          )}
        </ScreenFrame>
      );
    case 'confirmLogout':
      return (
        <ScreenFrame title={t('logout.title')}>
          <p data-part="text">
            <Message id="logout.text" values={{ projectName }} />
          </p>
          {consent.destination !== undefined && <DestinationText destination={consent.destination} />}
          {consent.account !== null && (
            <p data-part="account">
              <Message id="consent.account" values={{ account: consent.account }} />
            </p>
          )}
          <div data-part="actions">
            <Button
              look="primary"
              busy={pending === 'logout/confirmed'}
              onPress={() => model.send({ type: 'logout/confirmed' })}
            >
              {t('logout.yes')}
            </Button>
            <Button look="secondary" off={pending !== null} onPress={() => model.send({ type: 'logout/refused' })}>
              {t('logout.no')}
            </Button>
          </div>
        </ScreenFrame>
      );
    case 'success':
      return (
        <ScreenFrame mark="tick" title={t('consent.success.title')}>
          <p data-part="text">{t('consent.success.text')}</p>
        </ScreenFrame>
      );
    case 'deviceCode':
      return <DeviceCode userCode={consent.userCode} error={consent.error} pending={pending} />;
    case 'deviceDone':
      return (
        <ScreenFrame mark="tick" title={t('device.done.title')}>
          <p data-part="text">{t('device.done.text')}</p>
        </ScreenFrame>
      );
    case 'loggedOut':
      return (
        <ScreenFrame mark="tick" title={t('logout.done')}>
          {null}
        </ScreenFrame>
      );
    case 'noSession':
    case 'denied':
    case 'deviceDenied':
    case 'framed':
    case 'notLoggedOut':
      return <ScreenFrame title={t(ALONE[consent.status])}>{null}</ScreenFrame>;
  }
}

/** The request would be refused again, because the app made a mistake in it, or has to make a new one. */
function isFinal(error: AuthError | null): boolean {
  if (error?.kind !== 'api') return false;
  return wayOutOf(error) === 'tell' || MUST_BE_NEW.has(error.error_type);
}

const MUST_BE_NEW: ReadonlySet<string> = new Set(['invalid_authorization_request', 'invalid_request_uri']);

/** The states that show only one sentence. */
const ALONE = {
  noSession: 'consent.noSession',
  denied: 'consent.denied',
  deviceDenied: 'device.denied',
  framed: 'consent.framed',
  notLoggedOut: 'logout.refused',
} as const;

/**
 * Announces the heading of each new state, and focuses it when the user acted on the previous state, or on the widget before this one.
 */
function useStatusFocus(root: RefObject<HTMLElement | null>, status: string): void {
  const { announce, takesFocus } = useWidget();
  const before = useRef(status);
  const acted = useRef(takesFocus);
  useBeforePaint(() => {
    if (before.current === status) return;
    if (before.current !== 'loading') acted.current = true;
    before.current = status;
    if (status === 'loading') return;
    const heading = root.current?.querySelector<HTMLElement>('h1');
    if (heading && acted.current) takeFocus(heading);
    acted.current = false;
    announce(heading?.textContent ?? '');
  }, [root, status, announce]);
}
