import type { AuthError } from '../../domain/errors.ts';
import { ErrorText } from './ErrorText.tsx';
import { Icon } from './Icon.tsx';

/** A place for what went wrong. It is always there, so that a screen reader hears what appears in it. */
export function ErrorBanner({ error }: { readonly error: AuthError | null }) {
  return (
    <div data-part="errors" role="alert">
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
