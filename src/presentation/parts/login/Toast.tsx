import { useEffect, useState } from 'react';
import { SUCCESS_TOAST_MS } from '#domain/screens/reduce.ts';
import type { Toast as ToastData } from '#domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';

const ICONS = { error: 'alert', success: 'tick', loading: 'spinner' } as const;
const SAYS = { error: 'failure.title', success: 'done', loading: 'loading' } as const;

/** Moves the focus before a focused toast is removed: to the next toast, else to the screen's heading. */
function handOn(toast: Element | null): void {
  const beside = toast?.nextElementSibling ?? toast?.previousElementSibling;
  const root = toast?.closest('[data-portico]');
  const next =
    beside?.querySelector('button') ?? root?.querySelector<HTMLElement>('h1') ?? root?.querySelector('input');
  next?.focus();
}

/**
 * One toast. A success disappears by itself, but not while it is hovered or focused (WCAG 2.2.1). An error stays until it is
 * dismissed, the action is repeated, or the screen changes, so that there is no time limit for reading it.
 */
export function Toast({ toast: { id, kind, error, text } }: { readonly toast: ToastData }) {
  const { model, t } = useWidget();
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const stays = kind !== 'success' || isPointedAt || isFocused;
  useEffect(() => {
    if (stays) return undefined;
    return model.clock.after(SUCCESS_TOAST_MS, () => model.send({ type: 'toast/dismissed', id }));
  }, [model, id, stays]);
  return (
    <div
      data-part="toast"
      data-kind={kind}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon name={ICONS[kind]} />
      <span>
        {error === null ? <span>{t(text === null ? SAYS[kind] : `toast.${text}`)}</span> : <ErrorText error={error} />}
      </span>
      {kind !== 'loading' && (
        <button
          type="button"
          data-part="dismiss"
          aria-label={t('toast.dismiss')}
          onClick={(event) => {
            if (isFocused) handOn(event.currentTarget.parentElement);
            model.send({ type: 'toast/dismissed', id });
          }}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="m6 6 12 12m0-12L6 18" />
          </svg>
        </button>
      )}
    </div>
  );
}
