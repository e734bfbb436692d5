import {
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
} from 'react';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import {
  ACCOUNT_SECTIONS,
  activeSection,
  type AccountPage,
  type AccountSection,
  type AccountState,
} from '#domain/account/account.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorBanner, ErrorText } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { onEscape } from '../../hooks/escape.ts';
import { takeFocus } from '../../hooks/focus.ts';
import { isFocusLeft, leaveFocus } from '../../hooks/left-focus.ts';
import { useWidget, WidgetContext } from '../../hooks/useWidget.ts';
import { useAccountTexts } from '../../messages/account-texts.ts';
import { makeTranslate } from '../../messages/catalogue.ts';
import type { ScreenProps } from '../parts.ts';
import { Emails, Phones } from './Addresses.tsx';
import { Drafts, DraftsContext, useTypedTexts } from './drafts.ts';
import { Apps } from './Apps.tsx';
import { LinkedAccounts } from './LinkedAccounts.tsx';
import { Passkeys } from './Passkeys.tsx';
import { Data } from './Data.tsx';
import { Details } from './Details.tsx';
import { Password } from './Password.tsx';
import { Profile } from './Profile.tsx';
import { errorOf, sectionOfNews, useAnnouncement, type SectionProps } from './Section.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { Totp } from './Totp.tsx';

/** Waits for the page's texts in the widget's language, which load separately from the login's. */
export function Account({ state }: ScreenProps<'Account'>) {
  const tools = useWidget();
  const { language, strings: overrides } = tools;
  const translated = useAccountTexts(language);
  const own = useMemo(() => {
    if (translated === null) return null;
    const strings = { ...translated, ...overrides };
    return { ...tools, strings, t: makeTranslate(strings) };
  }, [tools, translated, overrides]);
  if (own === null) return <Waiting />;
  return (
    <WidgetContext.Provider value={own}>
      <Standing account={state.account} state={state} />
    </WidgetContext.Provider>
  );
}

function Waiting() {
  const { t } = useWidget();
  const wait = useRef<HTMLOutputElement>(null);
  // The page that follows takes over the focus of the heading above, which goes with this. A layout effect would do as well, but React 18
  // logs a warning for one on a server.
  useInsertionEffect(
    () => () => {
      const screen = wait.current?.parentElement;
      if (screen) leaveFocus(screen);
    },
    [],
  );
  return (
    <output ref={wait} data-part="wait">
      <Icon name="spinner" />
      <span>{t('loading')}</span>
    </output>
  );
}

function Standing({ account, state }: { readonly account: AccountState; readonly state: ScreenState }) {
  const root = useRef<HTMLDivElement>(null);
  useArrival(root, arrivalOf(account));
  return (
    <div ref={root} data-part="account-root">
      <Stage account={account} state={state} />
    </div>
  );
}

/** Identifies what the page shows: an account, or the reason why there is none. */
function arrivalOf(account: AccountState): string {
  if ('user' in account) return 'page';
  return account.at === 'signedOut' && account.deleted ? 'deleted' : account.at;
}

/**
 * Runs when the page is replaced, because its user signed out or it could not be loaded again: focuses and announces the new heading. The
 * page itself was announced while it loaded; its heading takes over the focus.
 */
function useArrival(root: { readonly current: HTMLElement | null }, at: string): void {
  const { announce } = useWidget();
  const before = useRef<string | null>(null);
  useBeforePaint(() => {
    if (at === 'arriving') return;
    const from = before.current;
    before.current = at;
    const isCalm = from === null || (at === 'page' && from !== 'failed');
    if (isCalm && !isFocusLeft()) return;
    const heading = root.current?.querySelector('h1');
    if (!heading) return;
    takeFocus(heading);
    if (at !== 'page') announce(heading.textContent);
  }, [root, at, announce]);
}

function Stage({ account, state }: { readonly account: AccountState; readonly state: ScreenState }) {
  const { model, t } = useWidget();
  switch (account.at) {
    case 'arriving':
      return (
        <ScreenFrame title={t('account.title')}>
          <Waiting />
        </ScreenFrame>
      );
    case 'signedOut':
      return account.deleted ? <Deleted /> : <SignedOut hasEnded={account.ended === true} />;
    case 'failed':
      return (
        <ScreenFrame mark="alert" title={t('failure.title')}>
          <p data-part="text">
            <ErrorText error={account.error} />
          </p>
          <Button look="primary" onPress={() => model.send({ type: 'account/retried' })}>
            {t('account.retry')}
          </Button>
        </ScreenFrame>
      );
    case 'resting':
    case 'working':
    case 'proving':
    case 'checking':
      return <Sections key={account.user.user_id} page={account} state={state} />;
  }
}

/** The page after the user deleted the account. */
function Deleted() {
  const { t } = useWidget();
  return (
    <ScreenFrame title={t('account.news.accountDeleted')}>
      <p data-part="text">{t('account.signedOut.deletedText')}</p>
    </ScreenFrame>
  );
}

/** The page for a visitor who is not signed in, with the host's way to sign in. */
function SignedOut({ hasEnded }: { readonly hasEnded: boolean }) {
  const { config, t } = useWidget();
  const { signIn } = config.accountOptions ?? {};
  return (
    <ScreenFrame title={t(hasEnded ? 'account.signedOut.ended' : 'account.signedOut.title')}>
      <p data-part="text">{t('account.signedOut.text')}</p>
      <div data-part="actions">
        {typeof signIn === 'string' && (
          <a data-part="button" data-look="primary" href={signIn}>
            <span>{t('account.signedOut.signIn')}</span>
          </a>
        )}
        {typeof signIn === 'function' && (
          <Button look="primary" onPress={signIn}>
            {t('account.signedOut.signIn')}
          </Button>
        )}
      </div>
    </ScreenFrame>
  );
}

const SECTIONS: { readonly [Name in AccountSection]: ComponentType<SectionProps> } = {
  profile: Profile,
  details: Details,
  emails: Emails,
  phones: Phones,
  password: Password,
  passkeys: Passkeys,
  linked: LinkedAccounts,
  totp: Totp,
  secondFactor: SecondFactor,
  sessions: Sessions,
  apps: Apps,
  data: Data,
};

/** The drafts of the page, without the saved ones. */
function usePageDrafts({ news }: AccountPage): Drafts {
  const [drafts] = useState(() => new Drafts());
  useEffect(() => {
    // The acceptance of terms saves no text.
    if (news !== null && news.what !== 'termsAccepted') drafts.forget(sectionOfNews(news.what));
  }, [drafts, news]);
  return drafts;
}

/** Identifies the open form or question. */
function openOn(page: AccountPage): string | null {
  if ('way' in page) return `proof ${page.way}`;
  const { task } = page;
  if (task === null) return null;
  return task.kind === 'remove' ? `remove ${task.id}` : task.kind;
}

function Sections({ page, state }: SectionProps) {
  const { announce, model, config, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  useTaskFocus(root, page);
  const drafts = usePageDrafts(page);
  const { onFocus, isTyped } = useTypedTexts();
  /**
   * Escape closes a form or question, except if it has codes that are shown once, or unsaved text: these stay, also in a dialog around the
   * page.
   */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (page.at !== 'resting' && page.at !== 'proving') return;
    const form = event.target instanceof Element ? event.target.closest('[data-part=task]') : null;
    if (form === null) return;
    const stays = (page.at === 'resting' && page.task?.kind === 'recoveryCodes') || isTyped(form);
    onEscape(event, () => {
      if (!stays) model.send({ type: 'account/closed' });
    });
  };
  const names = config.accountOptions?.sections ?? ACCOUNT_SECTIONS;
  const leaving = page.at === 'working' && page.doing.kind === 'signOut';
  const error = errorOf(page, (section) => section === null || !names.includes(section));
  const leave = useRef<HTMLDivElement>(null);
  useAnnouncement(leave, '[data-part=errors]', error, announce);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it hears the Escape of the forms inside
    <div ref={root} data-part="account-page" data-state={page.at} {...{ onFocus, onKeyDown }}>
      <DraftsContext.Provider value={drafts}>
        <ScreenFrame title={t('account.title')}>
          {names.map((name) => {
            const Section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
            return Section && <Section key={name} page={page} state={state} />;
          })}
          <div ref={leave} data-part="leave">
            <ErrorBanner error={error} quiet />
            <Button
              look="secondary"
              busy={leaving}
              onPress={() => model.send({ type: 'account/asked', change: { kind: 'signOut' } })}
            >
              {t('account.signOut')}
            </Button>
          </div>
        </ScreenFrame>
      </DraftsContext.Provider>
    </div>
  );
}

/** Forms that follow another one of the same section. When they close, the focus returns to the button that opened the first. */
const FOLLOWS = /^(?:proof|enterCode|addTotp|recoveryCodes)/u;

/**
 * Moves the focus into a form or question when it opens. When it closes, the focus returns to the button that opened it, or goes to
 * the section's heading when that button is gone. An action of another section closes it too; the focus then stays on the action.
 */
function useTaskFocus(root: { readonly current: HTMLElement | null }, page: AccountPage): void {
  const open = openOn(page);
  const section = activeSection(page);
  const before = useRef(open);
  const opener = useRef<string | null>(null);
  const place = useRef(section);
  const last = useRef(section);
  useBeforePaint(() => {
    if (section !== null) last.current = section;
    if (before.current === open) return;
    if (open !== null && (before.current === null || !FOLLOWS.test(open))) opener.current = open;
    before.current = open;
    if (open !== null) place.current = section;
    else if (last.current !== place.current) return;
    const find = (selector: string): HTMLElement | null => root.current?.querySelector<HTMLElement>(selector) ?? null;
    const target =
      open === null
        ? (find(`[data-opens="${CSS.escape(opener.current ?? '')}"]`) ?? find(`[data-section="${last.current}"] h2`))
        : (find('[data-part=task] :is([data-focus], input:not([hidden]))') ?? find('[data-part=task]'));
    if (target !== null) takeFocus(target);
  }, [root, open, section]);
}
