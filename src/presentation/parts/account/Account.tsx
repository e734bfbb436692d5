import { useEffect, useMemo, useRef, type ComponentType } from 'react';
import {
  ACCOUNT_SECTIONS,
  activeSection,
  type AccountPage,
  type AccountSection,
  type AccountState,
} from '../../../domain/account/account.ts';
import type { ScreenState } from '../../../domain/screens/widget-state.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { takeFocus } from '../../hooks/focus.ts';
import { useWidget, WidgetContext } from '../../hooks/useWidget.ts';
import { useAccountTexts } from '../../messages/account-texts.ts';
import { makeTranslate } from '../../messages/catalogue.ts';
import type { ScreenProps } from '../parts.ts';
import { Emails, Phones } from './Addresses.tsx';
import { Apps } from './Apps.tsx';
import { Passkeys } from './Passkeys.tsx';
import { Password } from './Password.tsx';
import { Profile } from './Profile.tsx';
import type { SectionProps } from './Section.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { Totp } from './Totp.tsx';

/** Waits for the page's texts in the widget's language, which load separately from the login's. */
export function Account({ state }: ScreenProps<'Account'>) {
  const tools = useWidget();
  const { language, strings: given } = tools;
  const translated = useAccountTexts(language);
  const own = useMemo(() => {
    if (translated === null) return null;
    const strings = { ...translated, ...given };
    return { ...tools, strings, t: makeTranslate(strings) };
  }, [tools, translated, given]);
  if (own === null) return <Waiting />;
  return (
    <WidgetContext.Provider value={own}>
      <Standing account={state.account} state={state} />
    </WidgetContext.Provider>
  );
}

function Waiting() {
  const { t } = useWidget();
  return (
    <output data-part="wait">
      <Icon name="spinner" />
      <span>{t('loading')}</span>
    </output>
  );
}

function Standing({ account, state }: { readonly account: AccountState; readonly state: ScreenState }) {
  const { model, t } = useWidget();
  switch (account.at) {
    case 'arriving':
      return <Waiting />;
    case 'signedOut':
      return <SignedOut />;
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
      return <Sections page={account} state={state} />;
  }
}

/** The page for a visitor who is not signed in, with the host's way to sign in. */
function SignedOut() {
  const { config, t } = useWidget();
  const { signIn } = config.accountOptions ?? {};
  return (
    <ScreenFrame title={t('account.signedOut.title')}>
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
  emails: Emails,
  phones: Phones,
  password: Password,
  passkeys: Passkeys,
  totp: Totp,
  secondFactor: SecondFactor,
  sessions: Sessions,
  apps: Apps,
};

/** Identifies the open form or question. */
function openOn(page: AccountPage): string | null {
  if ('way' in page) return `proof ${page.way}`;
  const { task } = page;
  if (task === null) return null;
  return task.kind === 'remove' ? `remove ${task.id}` : task.kind;
}

function Sections({ page, state }: SectionProps) {
  const { model, config, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  useTaskFocus(root, page);
  const names = config.accountOptions?.sections ?? ACCOUNT_SECTIONS;
  const leaving = page.at === 'working' && page.doing.kind === 'signOut';
  return (
    <div ref={root} data-part="account-page" data-state={page.at}>
      <ScreenFrame title={t('account.title')}>
        {names.map((name) => {
          const Section = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
          return Section && <Section key={name} page={page} state={state} />;
        })}
        <div data-part="leave">
          <Button
            look="secondary"
            busy={leaving}
            onPress={() => model.send({ type: 'account/asked', change: { kind: 'signOut' } })}
          >
            {t('account.signOut')}
          </Button>
        </div>
      </ScreenFrame>
    </div>
  );
}

/**
 * Moves the focus into a form or question when it opens. When it closes, the focus returns to the button that opened it, or goes to
 * the section's heading when that button is gone.
 */
function useTaskFocus(root: { readonly current: HTMLElement | null }, page: AccountPage): void {
  const open = openOn(page);
  const section = activeSection(page);
  const before = useRef(open);
  const opener = useRef<string | null>(null);
  const last = useRef(section);
  useEffect(() => {
    if (section !== null) last.current = section;
    if (before.current === open) return;
    if (before.current === null) opener.current = open;
    before.current = open;
    const find = (selector: string): HTMLElement | null => root.current?.querySelector<HTMLElement>(selector) ?? null;
    const target =
      open === null
        ? (find(`[data-opens="${CSS.escape(opener.current ?? '')}"]`) ?? find(`[data-section="${last.current}"] h2`))
        : (find('[data-part=task] :is([data-focus], input:not([type=hidden]))') ?? find('[data-part=task]'));
    if (target !== null) takeFocus(target);
  }, [root, open, section]);
}
