import type { Toast as ToastData } from '../../domain/screens/widget-state.ts';
import { partOf } from '../parts/loaders.ts';

/** A place of their own for short messages, under the card. Always there, so that they are heard. */
export function Toasts({ toasts }: { readonly toasts: readonly ToastData[] }) {
  const late = partOf('emailed');
  return (
    <div data-part="toasts" role="alert" aria-atomic={false}>
      {late !== null && toasts.map((toast) => <late.Toast key={toast.id} toast={toast} />)}
    </div>
  );
}
