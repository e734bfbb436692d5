import { useState } from 'react';
import { safeImageUrl } from '../../../domain/safe-url.ts';
import { Logo } from '../../components/ScreenFrame.tsx';

interface AuthorizationParty {
  readonly name: string;
  readonly logoUrl: unknown;
}

/** The logos of the project and of the app, when there is any. */
export function AppMarks({ project, app }: { readonly project: AuthorizationParty; readonly app: AuthorizationParty }) {
  if (!project.logoUrl && !app.logoUrl) return null;
  return (
    <div data-part="marks">
      <Logo url={project.logoUrl} name={project.name} isOwn />
      <AppMark {...app} />
    </div>
  );
}

/**
 * The app's logo. The app's first letter shows until the image is loaded, or permanently without one. The image's host gets no
 * referrer.
 */
function AppMark({ name, logoUrl }: AuthorizationParty) {
  const [come, setCome] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const url = typeof logoUrl === 'string' ? safeImageUrl(logoUrl) : null;
  const [letter = ''] = Array.from(name.trim());
  return (
    <span data-part="app-mark" data-state={url !== null && come === url ? 'come' : 'letter'}>
      <span aria-hidden="true">{letter.toUpperCase()}</span>
      {url !== null && failed !== url && (
        <img
          src={url}
          alt={name}
          referrerPolicy="no-referrer"
          onLoad={() => setCome(url)}
          onError={() => setFailed(url)}
        />
      )}
    </span>
  );
}
