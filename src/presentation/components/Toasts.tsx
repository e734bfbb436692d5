import type { Toast as ToastData } from '../../domain/screens/widget-state.ts';
import { usePart } from '../hooks/usePart.ts';

/** The place for short messages, under the card. It is always in the page, so that screen readers announce them. */
export function Toasts({ toasts }: { readonly toasts: readonly ToastData[] }) {
  const part = usePart('login');
  return (
    <div data-part="toasts" role="alert" aria-atomic={false}>
      {part !== null && toasts.map((toast) => <part.Toast key={toast.id} toast={toast} />)}
    </div>
  );
}
