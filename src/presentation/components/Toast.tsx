import { useEffect } from 'react';
import { ERROR_TOAST_MS, SUCCESS_TOAST_MS, type Toast as ToastData } from '../../domain/screens/widget-state.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { ErrorText } from './ErrorText.tsx';
import { Icon } from './Icon.tsx';

/** One short message. It goes by itself. */
export function Toast({ toast: { id, kind, error } }: { readonly toast: ToastData }) {
  const { model, t } = useWidget();
  useEffect(
    () =>
      model.clock.after(kind === 'error' ? ERROR_TOAST_MS : SUCCESS_TOAST_MS, () =>
        model.send({ type: 'toast/dismissed', id }),
      ),
    [model, kind, id],
  );
  return (
    <p data-part="toast" data-kind={kind}>
      <Icon name={kind === 'error' ? 'alert' : 'tick'} />
      <span>{error === null ? t('done') : <ErrorText error={error} />}</span>
    </p>
  );
}
