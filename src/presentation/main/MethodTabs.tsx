import type { OtpMethod } from '../../domain/otp.ts';
import { usePart } from '../hooks/usePart.ts';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly tabs: readonly OtpMethod[];
  readonly chosen: OtpMethod;
  /** What the ids of the tabs and their panels begin with. */
  readonly id: string;
  readonly onChoose: (method: OtpMethod) => void;
}

/** The tab bar (WAI-ARIA tabs pattern). Until the code for the arrow keys has arrived, every tab is a tab stop. */
export function MethodTabs({ tabs, chosen, id, onChoose }: Props) {
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
