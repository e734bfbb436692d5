import type { Toast as ToastData } from '../../domain/screens/widget-state.ts';
import { Toast } from './Toast.tsx';

/** A place of their own for short messages, under the card. Always there, so that they are heard. */
export function Toasts({ toasts }: { readonly toasts: readonly ToastData[] }) {
  return (
    <div data-part="toasts" role="alert">
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
