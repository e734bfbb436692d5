import { useState } from 'react';
import { safeImageUrl } from '../../domain/safe-url.ts';

/** The host's logo, when its address is one that may be loaded and it does load. */
export function Logo({ url, name }: { readonly url: unknown; readonly name: string }) {
  const [failed, setFailed] = useState<unknown>(null);
  const safe = typeof url === 'string' ? safeImageUrl(url) : null;
  if (safe === null || failed === safe) return null;
  return <img data-part="logo" src={safe} alt={name} referrerPolicy="no-referrer" onError={() => setFailed(safe)} />;
}
