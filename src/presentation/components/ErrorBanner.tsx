import { useEffect, useRef } from 'react';
import type { AuthError } from '../../domain/errors.ts';
import { ErrorText } from './ErrorText.tsx';
import { Icon } from './Icon.tsx';

/**
 * A place for what went wrong. It is always there, so that a screen reader hears what appears in it; what appears where
 * it is out of sight, such as under many buttons, comes into it.
 */
export function ErrorBanner({ error }: { readonly error: AuthError | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={place} data-part="errors" role="alert">
      {error !== null && (
        <p data-part="banner">
          <Icon name="alert" />
          <span>
            <ErrorText error={error} />
          </span>
        </p>
      )}
    </div>
  );
}
