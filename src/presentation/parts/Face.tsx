import { useState } from 'react';
import { safeImageUrl } from '../../domain/safe-url.ts';
import type { UserSummary } from './person.ts';
import css from '../theme/parts/face.css?inline';
import { addStyles } from '../theme/stylesheet.ts';

addStyles(css);

/** The picture of a user; without one, or when it fails to load, the initials. */
export function Face({ person: { picture, initials } }: { readonly person: UserSummary }) {
  const [broken, setBroken] = useState<string | null>(null);
  const safe = picture === null ? null : safeImageUrl(picture);
  if (safe !== null && safe !== broken) {
    return <img src={safe} alt="" referrerPolicy="no-referrer" onError={() => setBroken(safe)} />;
  }
  if (initials !== '') return <span aria-hidden="true">{initials}</span>;
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-8 9c0-4 3.6-6 8-6s8 2 8 6" />
    </svg>
  );
}
