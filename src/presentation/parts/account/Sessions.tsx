import { useRef, type FocusEvent } from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import type { AccountPage } from '#domain/account/account.ts';
import type { ListedSession } from '#domain/sessions/session.ts';
import { Button } from '../../components/Button.tsx';
import { takeFocus } from '../../hooks/focus.ts';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import { browserName } from './browser-name.ts';
import { ConfirmTask } from './ConfirmTask.tsx';
import { Action, Opener } from './controls.tsx';
import { ListState } from './ListState.tsx';
import { Section, taskOf, type SectionProps } from './Section.tsx';
import { When } from './When.tsx';

/** The sessions of the user. Hidden if the server has no such list. */
export function Sessions({ page }: SectionProps) {
  const { model, t, language } = useWidget();
  const { sessions } = page;
  const rows = useFurtherRows(page);
  const id = useOwnId();
  if (sessions.status === 'absent') return null;
  const list = new Intl.ListFormat(language);
  const ending = page.at === 'working' && page.doing.kind === 'remove' ? page.doing.id : null;
  return (
    <Section name="sessions" page={page}>
      <ListState list={sessions} title={t('account.sessions.title')} />
      {sessions.status === 'known' && (
        <ul data-part="entries" {...rows}>
          {sessions.items.map((session) => {
            const name = browserName(session.attributes?.user_agent ?? '', t);
            const ways = list.format(waysOf(session, t));
            return (
              <li key={session.session_id} tabIndex={-1}>
                <div data-part="entry">
                  <div data-part="entry-text">
                    <p>
                      <span>{`${name} `}</span>
                      {session.is_current && (
                        <span data-part="badge" data-state="good">
                          {t('account.sessions.here')}
                        </span>
                      )}
                      {session.device_bound === true && (
                        <>
                          <span> </span>
                          <span data-part="badge" data-state="good">
                            {t('account.sessions.bound')}
                          </span>
                        </>
                      )}
                      {session.device_trusted === true && (
                        <>
                          <span> </span>
                          <span data-part="badge">{t('account.sessions.trusted')}</span>
                        </>
                      )}
                    </p>
                    <p data-part="facts" id={`${id}-${session.session_id}`}>
                      {session.is_current ? (
                        <span>{t('account.sessions.now')}</span>
                      ) : (
                        <When id="account.sessions.used" time={session.last_accessed_at} />
                      )}
                      <When id="account.sessions.started" time={session.started_at} />
                      {ways !== '' && <span>{t('account.sessions.by', { ways })}</span>}
                      {session.attributes?.ip_address && (
                        <span>
                          <bdi dir="ltr">{session.attributes.ip_address}</bdi>
                        </span>
                      )}
                    </p>
                  </div>
                  {!session.is_current && (
                    <Action
                      danger
                      text={t('account.sessions.end')}
                      label={t('account.sessions.endOf', { item: name })}
                      describedBy={`${id}-${session.session_id}`}
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
      <More page={page} />
      <EndOthers page={page} />
    </Section>
  );
}

/**
 * Moves the focus to the first of the rows that "Show more" added, so that reading continues there. When the row with the focus
 * disappears, the section's heading gets the focus.
 */
function useFurtherRows({ sessions, ...page }: AccountPage) {
  const list = useRef<HTMLUListElement>(null);
  const isAdding = page.at === 'working' && page.doing.kind === 'moreSessions';
  const count = sessions.status === 'known' ? sessions.items.length : 0;
  const before = useRef<number | null>(null);
  const focused = useRef<HTMLElement | null>(null);
  useBeforePaint(() => {
    if (isAdding) {
      before.current = count;
      return;
    }
    const first = before.current;
    before.current = null;
    const row = first === null ? null : list.current?.children[first];
    if (row instanceof HTMLElement) takeFocus(row);
    else if (focused.current?.isConnected === false) {
      const heading = list.current?.closest('section')?.querySelector('h2');
      if (heading) takeFocus(heading);
    }
  }, [isAdding, count]);
  return {
    ref: list,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => void (focused.current = target),
    onBlur: (): void => void (focused.current = null),
  };
}

/** Loads the sessions that are not shown yet. */
function More({ page }: Pick<SectionProps, 'page'>) {
  const { model, t } = useWidget();
  const { sessions } = page;
  if (sessions.status !== 'known' || !sessions.next) return null;
  const change = { kind: 'moreSessions', cursor: sessions.next } as const;
  return (
    <Button
      look="secondary"
      busy={page.at === 'working' && page.doing.kind === 'moreSessions'}
      onPress={() => model.send({ type: 'account/asked', change })}
    >
      {t('account.sessions.more')}
    </Button>
  );
}

/** The confirmation before all other sessions end. */
function EndOthers({ page }: Pick<SectionProps, 'page'>) {
  const { t } = useWidget();
  const { sessions } = page;
  if (sessions.status !== 'known' || sessions.items.every(({ is_current }) => is_current)) return null;
  if (taskOf(page)?.kind !== 'endOthers')
    return <Opener task={{ kind: 'endOthers' }}>{t('account.sessions.endOthers')}</Opener>;
  return (
    <ConfirmTask
      page={page}
      section="sessions"
      question={t('account.sessions.endOthers.question')}
      change={{ kind: 'endOthers' }}
      yes={t('account.sessions.endOthers.yes')}
    />
  );
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

/** The session's login methods, each once. */
function waysOf({ authentication_factors: factors }: ListedSession, t: WidgetTools['t']): readonly string[] {
  const kinds = (factors ?? []).map(({ type }) => FACTORS.find((one) => one === type) ?? 'other');
  return [...new Set(kinds)].map((kind) => t(`account.factor.${kind}`));
}
