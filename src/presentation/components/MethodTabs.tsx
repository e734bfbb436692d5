import type { KeyboardEvent } from 'react';
import type { OtpMethod } from '../../domain/otp.ts';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly tabs: readonly OtpMethod[];
  readonly chosen: OtpMethod;
  /** What the ids of the tabs and their panels begin with. */
  readonly id: string;
  readonly onChoose: (method: OtpMethod) => void;
}

/** The tab bar (WAI-ARIA tabs pattern): one stop for Tab, arrows in the direction of reading, Home and End. */
export function MethodTabs({ tabs, chosen, id, onChoose }: Props) {
  const { t } = useWidget();

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const tab = event.currentTarget;
    const next = getComputedStyle(tab).direction === 'rtl' ? -1 : 1;
    const { length } = tabs;
    const from = tabs.indexOf(chosen);
    const around = (step: number): number => (from + step + length) % length;
    const to = { ArrowRight: around(next), ArrowLeft: around(-next), Home: 0, End: length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const method = tabs[to];
    if (method !== undefined && method !== chosen) onChoose(method);
    (tab.parentElement?.children[to] as HTMLElement | undefined)?.focus();
  };

  return (
    <div data-part="tabs" role="tablist" aria-label={t('tabs.label')}>
      {tabs.map((method) => (
        <button
          key={method}
          type="button"
          role="tab"
          data-part="tab"
          id={`${id}-${method}`}
          aria-controls={`${id}-${method === 'email' ? method : 'phone'}`}
          aria-selected={method === chosen}
          tabIndex={method === chosen ? 0 : -1}
          onKeyDown={move}
          onClick={() => method !== chosen && onChoose(method)}
        >
          {t(`tab.${method}`)}
        </button>
      ))}
    </div>
  );
}
