import { agentNames } from '../../../domain/user-agent.ts';
import type { ListedSession } from '../../../domain/session.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import { Action } from './controls.tsx';
import { ListState } from './ListState.tsx';
import { Section, type SectionProps } from './Section.tsx';

/** Where the user is signed in. Not shown where the server has no such list. */
export function Sessions({ page }: SectionProps) {
  const { model, t, language } = useWidget();
  const { sessions } = page;
  if (sessions.status === 'absent') return null;
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const list = new Intl.ListFormat(language);
  const at = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : time.format(new Date(text)));
  const ending = page.at === 'working' && page.doing.kind === 'remove' ? page.doing.id : null;
  return (
    <Section name="sessions" page={page}>
      <ListState list={sessions} />
      {sessions.status === 'known' && (
        <ul data-part="entries">
          {sessions.items.map((session) => {
            const name = browserOf(session, t);
            const ways = list.format(waysOf(session, t));
            return (
              <li key={session.session_id}>
                <div data-part="entry">
                  <div data-part="entry-text">
                    <p>
                      {name}{' '}
                      {session.is_current && (
                        <span data-part="badge" data-state="good">
                          {t('account.sessions.here')}
                        </span>
                      )}
                    </p>
                    <p data-part="details">{t('account.sessions.used', { time: at(session.last_accessed_at) })}</p>
                    <p data-part="details">{t('account.sessions.started', { time: at(session.started_at) })}</p>
                    {session.attributes?.ip_address && (
                      <p data-part="details">
                        {t('account.sessions.address', { address: `\u2068${session.attributes.ip_address}\u2069` })}
                      </p>
                    )}
                    {ways !== '' && <p data-part="details">{t('account.sessions.by', { ways })}</p>}
                  </div>
                  {!session.is_current && (
                    <Action
                      danger
                      text={t('account.sessions.end')}
                      label={t('account.sessions.endOf', { item: name })}
                      busy={ending === session.session_id}
                      onPress={() =>
                        model.send({
                          type: 'account/asked',
                          change: { kind: 'remove', what: 'session', id: session.session_id },
                        })
                      }
                    />
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

/** The browser in plain words. */
function browserOf({ attributes }: ListedSession, t: WidgetTools['t']): string {
  const { browser, system } = agentNames(attributes?.user_agent ?? '');
  if (browser !== null && system !== null) return t('account.sessions.on', { browser, system });
  return browser ?? system ?? t('account.sessions.unknown');
}

const FACTORS = [
  'password',
  'otp',
  'magic_link',
  'webauthn',
  'oauth',
  'crypto',
  'totp',
  'recovery_codes',
  'impersonated',
  'oauth_access_token_exchange',
  'trusted_auth_token',
] as const;

/** How the session was proven, each way once. */
function waysOf({ authentication_factors: factors }: ListedSession, t: WidgetTools['t']): readonly string[] {
  const kinds = (factors ?? []).map(({ type }) => FACTORS.find((one) => one === type) ?? 'other');
  return [...new Set(kinds)].map((kind) => t(`account.factor.${kind}`));
}
