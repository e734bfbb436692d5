import { useState } from 'react';
import { safeImageUrl } from '../../domain/safe-url.ts';

interface Props {
  readonly url: unknown;
  readonly name: string;
  /** The host's own, which may be a path of the page's origin. */
  readonly isOwn?: boolean;
}

/** A logo, when its address is one that may be loaded and it does load. */
export function Logo({ url, name, isOwn = false }: Props) {
  const [failed, setFailed] = useState<unknown>(null);
  const safe = typeof url === 'string' ? safeImageUrl(url, isOwn ? document.baseURI : undefined) : null;
  if (safe === null || failed === safe) return null;
  return <img data-part="logo" src={safe} alt={name} referrerPolicy="no-referrer" onError={() => setFailed(safe)} />;
}
