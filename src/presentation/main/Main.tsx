import { Fragment, useState } from 'react';
import { blamesPhone } from '#domain/contacts/phone.ts';
import type { OtpMethod } from '#domain/passcodes/otp.ts';
import { isDivided, passkeyEntry } from '#domain/screens/main-layout.ts';
import type { ScreenOf } from '#domain/screens/screen.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { Button } from '../components/Button.tsx';
import { ErrorBanner } from '../components/ErrorBanner.tsx';
import { FromLogin, LastUsed } from '../components/FromLogin.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoginForms } from './LoginForms.tsx';
import { Logo, ScreenFrame } from '../components/ScreenFrame.tsx';
import { OAuthButtons } from './OAuthButtons.tsx';
import { WalletButtons } from './WalletButtons.tsx';
import { useBootstrap, useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'Main'>;
  readonly state: ScreenState;
}

/** The logo of the host. */
function OwnLogo({ url }: { readonly url: unknown }) {
  return <Logo url={url} name={useBootstrap().projectName} isOwn />;
}

/** The first screen: all configured login methods, in the order of the products (specification, section 2). */
export function Main({ screen, state }: Props) {
  const { model, config, layout, styles, t } = useWidget();
  const { groups, social, tabs } = layout;
  const { email, phone } = screen;
  const [selection, setChosen] = useState<OtpMethod | undefined>(phone?.method ?? (email ? 'email' : undefined));
  const tab = tabs.find((method) => method === selection) ?? tabs[0];
  const isAtPhone = tab && tab !== 'email' && blamesPhone(state.error, state.failed);
  const entry = passkeyEntry(config, layout, state.passkeyAutofill);
  const isAlone = groups.length + social.length + tabs.length < 3 && entry !== 'button';
  const lastMethod = isAlone || config.rememberLastMethod === false ? null : state.lastMethod;
  const busy = state.pending === 'passkey/chosen';
  const hasTitle = styles?.hideHeaderText !== true;
  const subtitle: string = t('main.subtitle');
  const passkey = entry && (
    <>
      <Button
        look="secondary"
        busy={busy}
        off={state.pending !== null && !busy}
        mark={<Icon name="passkey" />}
        isLast={lastMethod === 'passkey'}
        onPress={() => model.send({ type: 'passkey/chosen' })}
      >
        {t(entry === 'link' ? 'passkey.use' : 'passkey.login')}
      </Button>
      <FromLogin>{(login) => <login.PasskeyNote entry={entry} state={state} />}</FromLogin>
    </>
  );
  const content = {
    oauth: <OAuthButtons {...{ social, lastMethod, state }} />,
    wallets: <WalletButtons state={state} />,
    forms: (
      <>
        {tab && <LoginForms {...{ screen, state, tab, setChosen }} passkey={entry === 'link' && passkey} />}
        {tabs.length === 1 && tabs[0] === lastMethod && <LastUsed />}
      </>
    ),
  };
  return (
    <>
      {styles?.logo && <OwnLogo url={styles.logo.logoImageUrl} />}
      <ScreenFrame title={hasTitle ? t('main.title') : undefined}>
        {hasTitle && subtitle !== '' && <p data-part="text">{subtitle}</p>}
        {entry === 'button' && <div data-part="group">{passkey}</div>}
        {groups.map((group, index) => (
          <Fragment key={group}>
            {isDivided(layout, index) && <p data-part="divider">{t('main.or')}</p>}
            <div data-part={group === 'forms' ? 'forms' : 'group'}>{content[group]}</div>
          </Fragment>
        ))}
        <ErrorBanner error={isAtPhone ? null : state.error} />
      </ScreenFrame>
    </>
  );
}
