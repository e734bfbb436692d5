import { useId, type ReactNode } from 'react';
import {
  activeSection,
  sectionOf,
  type AccountNews,
  type AccountPage,
  type AccountSection,
  type AccountTask,
} from '../../../domain/account/account.ts';
import type { ScreenState } from '../../../domain/screens/widget-state.ts';
import { ErrorBanner } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { Proof } from './Proof.tsx';

const OF_NEWS: Readonly<Record<AccountNews, AccountSection>> = {
  nameChanged: 'profile',
  emailAdded: 'emails',
  emailRemoved: 'emails',
  phoneAdded: 'phones',
  phoneRemoved: 'phones',
  passwordSet: 'password',
  passkeyAdded: 'passkeys',
  passkeyRenamed: 'passkeys',
  passkeyRemoved: 'passkeys',
  totpAdded: 'totp',
  totpRemoved: 'totp',
  codesRenewed: 'totp',
  sessionEnded: 'sessions',
  othersEnded: 'sessions',
  appRevoked: 'apps',
  deviceRemoved: 'secondFactor',
  recoveryStopped: 'secondFactor',
};

/** The props of every section of the page. */
export interface SectionProps {
  readonly page: AccountPage;
  readonly state: ScreenState;
}

interface Props {
  readonly name: AccountSection;
  readonly page: AccountPage;
  readonly children: ReactNode;
}

/** The open form or question; null while the form for the second factor replaces it. */
export const taskOf = (page: AccountPage): AccountTask | null => ('way' in page ? null : page.task);

/** Forms that show the error of their own submission. */
const SHOWS_ERROR: ReadonlySet<string> = new Set(['enterCode', 'password', 'addTotp']);

/** One section: its heading and content, the form for the second factor, the error, and the confirmation. */
export function Section({ name, page, children }: Props) {
  const { t } = useWidget();
  const id = useId();
  const isActive = activeSection(page) === name;
  const isProving = 'way' in page;
  const { task } = page;
  const showsItself = task !== null && SHOWS_ERROR.has(task.kind) && sectionOf(task) === name;
  const shows = isActive && !isProving && !showsItself;
  const news = page.news !== null && OF_NEWS[page.news.what] === name ? page.news : null;
  return (
    <section data-part="section" data-section={name} aria-labelledby={id}>
      <h2 id={id} data-part="section-title" tabIndex={-1}>
        {t(`account.${name}.title`)}
      </h2>
      {children}
      {isActive && isProving && <Proof page={page} />}
      <ErrorBanner error={shows ? page.error : null} />
      <output data-part="news">
        {news !== null && (
          <span key={news.id}>
            <Icon name="tick" />
            {t(`account.news.${news.what}`)}
          </span>
        )}
      </output>
    </section>
  );
}
