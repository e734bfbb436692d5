import { useState, type ReactNode } from 'react';
import { useWidget } from '../hooks/useWidget.ts';
import { ANY_PAGE, safeImageUrl } from '#domain/safe-url.ts';
import { Icon } from './Icon.tsx';
import type { Elements } from '../elements.ts';

interface Props {
  /** Undefined when the host hides the header. */
  readonly title?: ReactNode;
  readonly onBack?: () => void;
  readonly mark?: 'tick' | 'alert' | null;
  readonly children: Elements;
}

/** The common frame of the screens: a back button, an icon, the heading that takes the focus, then the content. */
export function ScreenFrame({ title, onBack, mark, children }: Props) {
  const { t } = useWidget();
  return (
    <div data-part="screen">
      {onBack && (
        <button type="button" data-part="back" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      )}
      {mark && (
        <div data-part="mark" data-kind={mark}>
          <Icon name={mark} />
        </div>
      )}
      {title !== undefined && (
        <h1 data-part="title" tabIndex={-1}>
          {title}
        </h1>
      )}
      {children}
    </div>
  );
}

interface LogoProps {
  readonly url: unknown;
  readonly name: string;
  /** The host's own logo, which may be a path on the page's origin. */
  readonly isOwn?: boolean;
}

/** A logo. Renders nothing when its address is not safe or the image fails to load. */
export function Logo({ url, name, isOwn = false }: LogoProps) {
  // A path of the host's logo stays one: a server does not know the address of the page.
  const [failed, setFailed] = useState<unknown>(null);
  const safe = typeof url === 'string' ? safeImageUrl(url, isOwn ? ANY_PAGE : undefined) : null;
  if (!safe || failed === safe) return null;
  return (
    <img
      data-part="logo"
      src={isOwn ? (url as string) : safe}
      alt={name}
      referrerPolicy="no-referrer"
      onError={() => setFailed(safe)}
    />
  );
}
