import { useEffect } from 'react';
import { ERROR_TOAST_MS, SUCCESS_TOAST_MS, type Toast as ToastData } from '../../domain/screens/widget-state.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { ErrorText } from './ErrorText.tsx';
import { Icon } from './Icon.tsx';

const ICONS = { error: 'alert', success: 'tick', loading: 'spinner' } as const;
const SAYS = { error: 'failure.title', success: 'done', loading: 'loading' } as const;

/** One short message. It goes by itself, but for one that says that something is loading. */
export function Toast({ toast: { id, kind, error, text } }: { readonly toast: ToastData }) {
  const { model, t } = useWidget();
  useEffect(() => {
    if (kind === 'loading') return undefined;
    const ms = kind === 'error' ? ERROR_TOAST_MS : SUCCESS_TOAST_MS;
    return model.clock.after(ms, () => model.send({ type: 'toast/dismissed', id }));
  }, [model, kind, id]);
  return (
    <p data-part="toast" data-kind={kind}>
      <Icon name={ICONS[kind]} />
      <span>{error === null ? t(text === null ? SAYS[kind] : `toast.${text}`) : <ErrorText error={error} />}</span>
    </p>
  );
}
