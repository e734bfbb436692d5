import { useEffect, useState } from 'react';
import { SUCCESS_TOAST_MS, type Toast as ToastData } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { Icon } from '../../components/Icon.tsx';

const ICONS = { error: 'alert', success: 'tick', loading: 'spinner' } as const;
const SAYS = { error: 'failure.title', success: 'done', loading: 'loading' } as const;

/** Hands the focus on before the toast that has it goes: to the toast beside it, else to the screen's heading. */
function handOn(toast: Element | null): void {
  const beside = toast?.nextElementSibling ?? toast?.previousElementSibling;
  const root = toast?.closest('[data-portico]');
  const next =
    beside?.querySelector('button') ?? root?.querySelector<HTMLElement>('h1') ?? root?.querySelector('input');
  next?.focus();
}

/**
 * One short message. A success goes by itself, but not while somebody points at it or has the focus in it (WCAG 2.2.1).
 * An error stays until it is dismissed, asked about anew or left with its screen: it may be read when it is read.
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
      <span>{error === null ? t(text === null ? SAYS[kind] : `toast.${text}`) : <ErrorText error={error} />}</span>
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
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
