import { useState } from 'react';
import { safeImageUrl } from '../../domain/safe-url.ts';

interface Props {
  readonly url: unknown;
  readonly name: string;
  /** The host's own logo, which may be a path on the page's origin. */
  readonly isOwn?: boolean;
}

/** A logo. Renders nothing when its address is not safe or the image fails to load. */
export function Logo({ url, name, isOwn = false }: Props) {
  const [failed, setFailed] = useState<unknown>(null);
  const safe = typeof url === 'string' ? safeImageUrl(url, isOwn ? document.baseURI : undefined) : null;
  if (safe === null || failed === safe) return null;
  return <img data-part="logo" src={safe} alt={name} referrerPolicy="no-referrer" onError={() => setFailed(safe)} />;
}
