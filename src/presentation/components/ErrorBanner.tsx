import { useEffect, useRef } from 'react';
import { isUnloaded, type AuthError, type SDKAPIUnreachableError } from '#domain/errors.ts';
import { errorText } from '#domain/thrown.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { overlaid } from '../messages/catalogue.ts';
import { FromLogin } from './FromLogin.tsx';
import { Icon } from './Icon.tsx';
import { Unloaded } from './Unloaded.tsx';

/**
 * The text of an error: the widget's own once its texts are loaded. Until then almost only the network can fail, and the texts of other
 * languages already include that. Without a network no file loads, and a reload would remove the page.
 */
export function ErrorText({ error }: { readonly error: AuthError }) {
  const { strings, t } = useWidget();
  if (isUnloaded(error) && navigator.onLine) return <Unloaded t={t} />;
  // Other errors have no reason, so there is no text with that name.
  const { reason } = error as SDKAPIUnreachableError;
  return (
    <FromLogin instead={<bdi data-part="said">{overlaid(`unreachable.${reason}`, strings) ?? errorText(error)}</bdi>}>
      {(login) => <login.ErrorMessage error={error} />}
    </FromLogin>
  );
}

interface BannerProps {
  readonly error: AuthError | null;
  /** The widget announces the error in another way. */
  readonly quiet?: boolean;
}

/**
 * The place for an error. It is always in the page, so that screen readers announce a new error. An error outside of the visible
 * area, for example below many buttons, is scrolled into view.
 */
export function ErrorBanner({ error, quiet }: BannerProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={place} data-part="errors" role={quiet ? undefined : 'alert'}>
      {error && (
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
