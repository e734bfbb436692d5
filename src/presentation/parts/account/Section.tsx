import { useEffect, useRef } from 'react';
import {
  activeSection,
  formError,
  sectionOf,
  type AccountNews,
  type AccountPage,
  type AccountSection,
  type AccountTask,
} from '#domain/account/account.ts';
import type { AuthError } from '#domain/errors.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useOwnId } from '../../hooks/own-id.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Proof } from './Proof.tsx';
import type { Elements } from '../../elements.ts';

const OF_NEWS: Readonly<Record<AccountNews, AccountSection>> = {
  nameChanged: 'profile',
  detailsChanged: 'details',
  termsAccepted: 'details',
  emailAdded: 'emails',
  emailRemoved: 'emails',
  phoneAdded: 'phones',
  phoneRemoved: 'phones',
  passwordSet: 'password',
  passkeyAdded: 'passkeys',
  passkeyRenamed: 'passkeys',
  passkeyRemoved: 'passkeys',
  socialRemoved: 'linked',
  walletRemoved: 'linked',
  totpAdded: 'totp',
  totpRemoved: 'totp',
  codesRenewed: 'totp',
  sessionEnded: 'sessions',
  othersEnded: 'sessions',
  appRevoked: 'apps',
  deviceRemoved: 'secondFactor',
  recoveryStopped: 'secondFactor',
  accountDeleted: 'data',
};

export const sectionOfNews = (news: AccountNews): AccountSection => OF_NEWS[news];

/** The props of every section of the page. */
export interface SectionProps {
  readonly page: AccountPage;
  readonly state: ScreenState;
}

interface Props {
  readonly name: AccountSection;
  readonly page: AccountPage;
  readonly children: Elements;
}

/** The open form or question; null while the form for the second factor replaces it. */
export const taskOf = (page: AccountPage): AccountTask | null => ('way' in page ? null : page.task);

/** The error of a change in this place, unless a form shows it. The section of a sign-out is null. */
export function errorOf(page: AccountPage, isPlace: (section: AccountSection | null) => boolean): AuthError | null {
  if ('way' in page || page.failed === null || formError(page) !== null) return null;
  return isPlace(sectionOf(page.failed)) ? page.error : null;
}

/** Announces the text of a place in the section, or in another part of the page, whenever `what` changes. */
export function useAnnouncement(
  section: { readonly current: HTMLElement | null },
  place: string,
  what: unknown,
  announce: (text: string) => void,
): void {
  useEffect(() => {
    const text = section.current?.querySelector(`:scope > ${place}`)?.textContent;
    if (text) announce(text);
  }, [section, place, what, announce]);
}

/** One section: its heading and content, the form for the second factor, the error, and the confirmation. */
export function Section({ name, page, children }: Props) {
  const { announce, t } = useWidget();
  const id = useOwnId();
  const isActive = activeSection(page) === name;
  const isProving = 'way' in page;
  const { task } = page;
  // The codes of a new authenticator app already show that it was added.
  const isTold = task?.kind === 'recoveryCodes' && task.fresh;
  const ours = page.news !== null && sectionOfNews(page.news.what) === name && !isTold;
  const news = ours ? page.news : null;
  const error = errorOf(page, (section) => section === name);
  // The page has one live region for all its sections.
  const section = useRef<HTMLElement>(null);
  useAnnouncement(section, '[data-part=errors]', error, announce);
  useAnnouncement(section, '[data-part=news]', news?.id, announce);
  return (
    <section ref={section} data-part="section" data-section={name} aria-labelledby={id}>
      <h2 id={id} data-part="section-title" tabIndex={-1}>
        {t(`account.${name}.title`)}
      </h2>
      {children}
      {isActive && isProving && <Proof page={page} />}
      <ErrorBanner error={error} quiet />
      <p data-part="news">
        {news !== null && (
          <span key={news.id}>
            <Icon name="tick" />
            <span>{t(`account.news.${news.what}`)}</span>
          </span>
        )}
      </p>
    </section>
  );
}
