import { useId, useState } from 'react';
import type { OtpMethod } from '../../domain/otp.ts';
import { mainLayout } from '../../domain/screens/main-layout.ts';
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
 * The forms for an address and for a telephone number, under tabs when there is more than one way (specification,
 * section 2). A form that was looked at stays with what was typed; texts and WhatsApp share one.
 */
export function LoginForms({ screen, state }: Props) {
  const { model, config } = useWidget();
  const { email, tabs } = mainLayout(config);
  const entered = screen.phone?.method ?? (screen.email === '' ? undefined : 'email');
  const [chosen, setChosen] = useState(entered);
  const [seen, setSeen] = useState<readonly OtpMethod[]>([]);
  const id = useId();

  const tab = tabs.find((method) => method === chosen) ?? tabs[0];
  if (tab === undefined) return null;
  const visited = (methods: readonly OtpMethod[]): boolean => methods.some((one) => one === tab || seen.includes(one));
  const choose = (method: OtpMethod): void => {
    setSeen([...seen, tab]);
    setChosen(method);
    model.send({ type: 'tab/chosen' });
  };
  const panel = (name: 'phone' | 'email', methods: readonly OtpMethod[]) =>
    tabs.length === 1
      ? {}
      : {
          role: 'tabpanel',
          id: `${id}-${name}`,
          'aria-labelledby': `${id}-${methods.includes(tab) ? tab : methods[0]}`,
          hidden: !methods.includes(tab),
        };
  const phones = tabs.filter((method) => method !== 'email');

  return (
    <>
      {tabs.length > 1 && <MethodTabs tabs={tabs} chosen={tab} id={id} onChoose={choose} />}
      {phones.length > 0 && (
        <div data-part="panel" {...panel('phone', phones)}>
          {visited(phones) && <PhoneForm method={tab === 'email' ? 'sms' : tab} initial={screen.phone} state={state} />}
        </div>
      )}
      {email !== null && (
        <div data-part="panel" {...panel('email', ['email'])}>
          {visited(['email']) && <EmailForm method={email} initial={screen.email} pending={state.pending} />}
        </div>
      )}
    </>
  );
}
