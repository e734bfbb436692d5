import { useEffect, type RefObject } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';

/** The hint about a mistyped domain under the field. Its code is loaded when the user types. */
export function EmailHint({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const part = usePart('mails');
  const { loadPart } = useWidget();
  useEffect(() => {
    const input = field.current;
    const load = (): void => void loadPart('mails').catch(() => undefined);
    input?.addEventListener('input', load, { once: true });
    // The field may have been filled before this code was loaded.
    if (input?.value) load();
    return () => input?.removeEventListener('input', load);
  }, [field, loadPart]);
  return part && <part.EmailHint field={field} />;
}
