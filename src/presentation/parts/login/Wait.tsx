import { useEffect, useRef } from 'react';
import { useTimeLeft } from './useTimeLeft.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** The remaining time of the server's `Retry-After`. Screen readers announce only its end. */
export function Wait({ until }: { readonly until: number }) {
  const { t, announce } = useWidget();
  const time = useTimeLeft(until);
  const over = time === null;
  const wasOver = useRef(over);
  useEffect(() => {
    if (over && !wasOver.current) announce(t('wait.over'));
    wasOver.current = over;
  }, [over, announce, t]);
  return (
    <span data-part="wait-for" aria-live="off">
      {time === null ? t('wait.over') : t('wait.for', { time })}
    </span>
  );
}
