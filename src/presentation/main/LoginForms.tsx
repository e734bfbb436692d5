import { useId, useState } from 'react';
import type { OtpMethod } from '../../domain/otp.ts';
import type { ScreenOf } from '../../domain/screens/screen.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { usePart } from '../hooks/usePart.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { EmailForm } from './EmailForm.tsx';
import { PhoneForm } from './PhoneForm.tsx';

interface Props {
  readonly screen: ScreenOf<'Main'>;
  readonly state: WidgetState;
}

/**
 * The forms for a telephone number and for an email address, with tabs when there is more than one method (specification,
 * section 2). The typed text is kept while another tab shows. SMS and WhatsApp share the number.
 */
export function LoginForms({ screen: { email: address, phone }, state }: Props) {
  const { model, layout } = useWidget();
  const { email, tabs } = layout;
  const [chosen, setChosen] = useState<OtpMethod | undefined>(phone?.method ?? (address ? 'email' : undefined));
  const id = useId();

  const tab = tabs.find((method) => method === chosen) ?? tabs[0];
  if (tab === undefined) return null;
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
      {tabs.length > 1 && <MethodTabs tabs={tabs} chosen={tab} id={id} onChoose={choose} />}
      {method !== undefined && (
        <div data-part="panel" {...panel(method, tab === 'email')}>
          <PhoneForm method={method} initial={phone} state={state} />
        </div>
      )}
      {email !== null && (
        <div data-part="panel" {...panel('email', tab !== 'email')}>
          <EmailForm method={email} initial={address} pending={state.pending} />
        </div>
      )}
    </>
  );
}

interface TabsProps {
  readonly tabs: readonly OtpMethod[];
  readonly chosen: OtpMethod;
  /** The prefix of the ids of the tabs and their panels. */
  readonly id: string;
  readonly onChoose: (method: OtpMethod) => void;
}

/** The tab bar (WAI-ARIA tabs pattern). Until the code for the arrow keys is loaded, every tab is a tab stop. */
function MethodTabs({ tabs, chosen, id, onChoose }: TabsProps) {
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
          aria-selected={method === chosen}
          tabIndex={part && method !== chosen ? -1 : 0}
          onKeyDown={part?.moveTab}
          onClick={() => method === chosen || onChoose(method)}
        >
          {t(`tab.${method}`)}
        </button>
      ))}
    </div>
  );
}
