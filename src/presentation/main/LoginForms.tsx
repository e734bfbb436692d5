import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { OtpMethod } from '#domain/passcodes/otp.ts';
import type { ScreenOf } from '#domain/screens/screen.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { usePart } from '../parts/parts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { blamesPhone } from '#domain/contacts/phone.ts';
import { isEmail, typedEmail } from '#domain/contacts/email.ts';
import type { EmailMethod } from '#domain/screens/main-layout.ts';
import { productsOf } from '#domain/widget/widget-config.ts';
import { Button } from '../components/Button.tsx';
import { FromLogin } from '../components/FromLogin.tsx';
import { TextField } from '../components/TextField.tsx';
import { PhoneForm } from './PhoneForm.tsx';
import type { Elements } from '../elements.ts';

interface Props {
  readonly screen: ScreenOf<'Main'>;
  readonly state: ScreenState;
  /** The method whose form shows. */
  readonly tab: OtpMethod;
  readonly setChosen: (method: OtpMethod) => void;
  /** The button for passkeys, below the form whose field offers them. */
  readonly passkey: Elements;
}

/**
 * The forms for a phone number and for an email address, with tabs when there is more than one method (specification, section 2). The
 * typed text is kept while another tab shows. SMS and WhatsApp share the number.
 */
export function LoginForms({ screen, state, tab, setChosen, passkey }: Props) {
  const { id, model, layout } = useWidget();
  const { email, tabs } = layout;
  const { pending, error } = state;
  const choose = (method: OtpMethod): void => {
    setChosen(method);
    model.send({ type: 'tab/chosen' });
  };
  const method = tab === 'email' ? tabs.find((one) => one !== 'email') : tab;
  const panel = (name: OtpMethod, hidden: boolean) =>
    tabs.length > 1 && {
      role: 'tabpanel',
      id: `${id}-${name === 'email' ? name : 'phone'}-panel`,
      'aria-labelledby': `${id}-${name}`,
      hidden,
    };

  return (
    <>
      {tabs.length > 1 && <MethodTabs tabs={tabs} activeTab={tab} id={id} onChoose={choose} />}
      {method !== undefined && (
        <div data-part="panel" {...panel(method, tab === 'email')}>
          <PhoneForm
            method={method}
            initial={screen.phone}
            phone={state.phone}
            busy={pending === 'phone/requested'}
            off={pending !== null}
            error={blamesPhone(error, state.failed) ? error : null}
            onSubmit={(entry) => model.send({ type: 'phone/requested', method, ...entry })}
          />
        </div>
      )}
      {email !== null && (
        <div data-part="panel" {...panel('email', tab !== 'email')}>
          <EmailForm method={email} initial={screen.email} state={state} passkey={passkey} />
        </div>
      )}
    </>
  );
}

interface TabsProps {
  readonly tabs: readonly OtpMethod[];
  readonly activeTab: OtpMethod;
  /** The prefix of the ids of the tabs and their panels. */
  readonly id: string;
  readonly onChoose: (method: OtpMethod) => void;
}

/** The tab bar (WAI-ARIA tabs pattern). Until the code for the arrow keys is loaded, every tab is a tab stop. */
function MethodTabs({ tabs, activeTab, id, onChoose }: TabsProps) {
  const { t } = useWidget();
  const part = usePart('phones');
  return (
    <div data-part="tabs" role="tablist" aria-label={t('tabs.label')}>
      {tabs.map((method) => (
        <button
          key={method}
          type="button"
          role="tab"
          data-part="tab"
          id={`${id}-${method}`}
          aria-controls={`${id}-${method === 'email' ? method : 'phone'}-panel`}
          aria-selected={method === activeTab}
          tabIndex={part && method !== activeTab ? -1 : 0}
          onKeyDown={part?.moveTab}
          onClick={() => method === activeTab || onChoose(method)}
        >
          {t(`tab.${method}`)}
        </button>
      ))}
    </div>
  );
}

interface EmailFormProps {
  readonly method: EmailMethod;
  readonly initial: string;
  readonly state: ScreenState;
  readonly passkey: Elements;
}

/** The form with a field for an email address. An invalid address shows an error; a valid one is sent. */
function EmailForm({ method, initial, state: { pending }, passkey }: EmailFormProps) {
  const { id, model, config, t } = useWidget();
  const offersPasskeys = productsOf(config).includes('passkeys');
  const [invalid, setInvalid] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (offersPasskeys) model.send({ type: 'passkey/autofillReady' });
  }, [model, offersPasskeys]);

  const isOwn = pending === 'otp/requested' || pending === 'magicLink/requested' || pending === 'password/emailEntered';

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (model.getState().pending !== null) return;
    const address = typedEmail(field.current?.value ?? '');
    if (!isEmail(address)) {
      setInvalid(true);
      field.current?.focus();
      return;
    }
    if (method === 'otp') model.send({ type: 'otp/requested', method: 'email', destination: address });
    else model.send({ type: method === 'password' ? 'password/emailEntered' : 'magicLink/requested', email: address });
  };

  return (
    <form method="dialog" data-part="form" noValidate onSubmit={submit}>
      <label data-part="label" htmlFor={id}>
        {t('email.label')}
      </label>
      <TextField
        field={field}
        id={id}
        data-focus={initial ? '' : undefined}
        invalid={invalid}
        type="email"
        name="email"
        dir="ltr"
        required
        autoComplete={offersPasskeys ? 'username webauthn' : 'email'}
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t('email.placeholder')}
        aria-describedby={`${id}-error`}
        readOnly={pending !== null}
        // The field keeps its own text, so that text typed before the script is kept.
        defaultValue={initial}
        onText={() => setInvalid(false)}
      />
      <p data-part="field-error" id={`${id}-error`} role="alert">
        {invalid && t(method === 'otp' ? 'email.invalid.otp' : 'email.invalid.magicLink')}
      </p>
      <FromLogin>{(login) => <login.EmailHint field={field} />}</FromLogin>
      <Button look="primary" type="submit" busy={isOwn} off={pending !== null && !isOwn}>
        {t('email.continue')}
      </Button>
      {passkey}
    </form>
  );
}
