import { useEffect, type RefObject } from 'react';
import { useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';

/** The hint to a mistyped domain under the field. Its code is loaded when somebody types. */
export function EmailHint({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const part = usePart('mails');
  const { loadPart } = useWidget();
  useEffect(() => {
    const input = field.current;
    const load = (): void => void loadPart('mails').catch(() => undefined);
    input?.addEventListener('input', load, { once: true });
    // It may have been filled in before this code was there.
    if (input?.value) load();
    return () => input?.removeEventListener('input', load);
  }, [field, loadPart]);
  return part && <part.EmailHint field={field} />;
}
