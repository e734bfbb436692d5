import { useEffect, useRef } from 'react';
import { errorText, type AuthError } from '../../domain/errors.ts';
import { usePart } from '../parts/parts.ts';
import { Icon } from './Icon.tsx';

/** The text of an error: the widget's own once the texts have arrived, the server's until then. */
export function ErrorText({ error }: { readonly error: AuthError }) {
  const part = usePart('login');
  return part === null ? <bdi data-part="said">{errorText(error)}</bdi> : <part.ErrorMessage error={error} />;
}

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
