import { useEffect } from 'react';
import type { ConnectedAppInfo } from '#domain/account/account.ts';
import { isBlank, tidied } from '#domain/consent/outside-text.ts';
import { Logo } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { hasText, type MessageKey } from '../../messages/catalogue.ts';
import { usePart } from '../parts.ts';
import { Action } from './controls.tsx';
import { ListState } from './ListState.tsx';
import { Question } from './Question.tsx';
import { Section, type SectionProps } from './Section.tsx';
import { When } from './When.tsx';

/** The connected apps of the user. Hidden if the server has no such list. */
export function Apps({ page }: SectionProps) {
  const { loadPart, t } = useWidget();
  const { apps } = page;
  const hasApps = apps.status === 'known' && apps.items.length > 0;
  // The consent page's texts contain the names of the scopes.
  const names = usePart('consent');
  useEffect(() => {
    if (hasApps) loadPart('consent').catch(() => undefined);
  }, [hasApps, loadPart]);
  if (apps.status === 'absent') return null;
  return (
    <Section name="apps" page={page}>
      <ListState list={apps} title={t('account.apps.title')} />
      {apps.status === 'known' && !hasApps && <p data-part="text">{t('account.apps.none')}</p>}
      {apps.status === 'known' && hasApps && (
        <ul data-part="entries">
          {apps.items.map((app) => (
            <li key={app.connected_app_id}>
              <App app={app} page={page} isNamed={names !== null} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

interface AppProps extends Pick<SectionProps, 'page'> {
  readonly app: ConnectedAppInfo;
  /** Whether the names of the scopes are loaded. */
  readonly isNamed: boolean;
}

function App({ app, page, isNamed }: AppProps) {
  const { model, t } = useWidget();
  const { connected_app_id: id, logo_url: logo, scopes_granted: granted } = app;
  // In the same form as on the consent page.
  const name = isBlank(app.name) ? id : tidied(app.name);
  const nameOf = (scope: string): string =>
    hasText(`scope.${scope}`) ? t(`scope.${scope}` as MessageKey & 'scope.openid') : scope;
  const scopes = [...new Set((granted ?? '').split(' '))].filter((scope) => scope !== '');
  return (
    <>
      <div data-part="entry">
        <Logo url={logo} name="" />
        <div data-part="entry-text">
          <p>
            <bdi>{name}</bdi>
          </p>
          {app.client_origin !== undefined && (
            <p data-part="details">
              {app.client_host === undefined
                ? t('account.apps.registered')
                : t('account.apps.agent', { host: `\u2068${app.client_host}\u2069` })}
            </p>
          )}
          {app.last_used_at && (
            <p data-part="details">
              <When id="account.sessions.used" time={app.last_used_at} />
            </p>
          )}
          {isNamed && scopes.length > 0 && (
            <ul data-part="details">
              {scopes.map((scope) => (
                <li key={scope}>
                  <bdi>{nameOf(scope)}</bdi>
                </li>
              ))}
            </ul>
          )}
        </div>
        <Action
          danger
          text={t('account.apps.revoke')}
          label={t('account.apps.revokeOf', { item: name })}
          opens={`remove ${id}`}
          onPress={() => model.send({ type: 'account/opened', task: { kind: 'remove', what: 'app', id } })}
        />
      </div>
      <Question page={page} what="app" id={id} item={name} />
    </>
  );
}
