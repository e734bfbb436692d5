import { useId, useState } from 'react';
import type { OtpMethod } from '../../domain/otp.ts';
import type { ScreenOf } from '../../domain/screens/screen.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { EmailForm } from './EmailForm.tsx';
import { MethodTabs } from './MethodTabs.tsx';
import { PhoneForm } from './PhoneForm.tsx';

interface Props {
  readonly screen: ScreenOf<'Main'>;
  readonly state: WidgetState;
}

/**
 * The forms for a telephone number and for an address, under tabs when there is more than one way (specification,
 * section 2). What was typed in one stays while another shows; texts and WhatsApp share theirs.
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
