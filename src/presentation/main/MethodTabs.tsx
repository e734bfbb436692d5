import type { OtpMethod } from '../../domain/otp.ts';
import { partOf } from '../parts/loaders.ts';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly tabs: readonly OtpMethod[];
  readonly chosen: OtpMethod;
  /** What the ids of the tabs and their panels begin with. */
  readonly id: string;
  readonly onChoose: (method: OtpMethod) => void;
}

/** The tab bar (WAI-ARIA tabs pattern): one stop for Tab once the code that moves by arrows has arrived. */
export function MethodTabs({ tabs, chosen, id, onChoose }: Props) {
  const { t } = useWidget();
  const late = partOf('phone');
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
          tabIndex={late && method !== chosen ? -1 : 0}
          onKeyDown={late?.moveTab}
          onClick={() => method === chosen || onChoose(method)}
        >
          {t(`tab.${method}`)}
        </button>
      ))}
    </div>
  );
}
