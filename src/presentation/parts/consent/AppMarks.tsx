import { useState } from 'react';
import { safeImageUrl } from '#domain/safe-url.ts';
import { Logo } from '../../components/ScreenFrame.tsx';

interface AuthorizationParty {
  readonly name: string;
  readonly logoUrl: unknown;
}

/** The first visible character: a letter with its marks, a flag, or an emoji of several code points. */
const FIRST_SIGN = /\p{RI}{2}|[^\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}](?:\p{M}|\p{EMod}|\u200D\p{ExtPict})*/u;

/** The logos of the project and of the app. A party without one is shown by its first letter. */
export function AppMarks({ project, app }: { readonly project: AuthorizationParty; readonly app: AuthorizationParty }) {
  return (
    <div data-part="marks">
      {project.logoUrl ? <Logo url={project.logoUrl} name={project.name} isOwn /> : <Mark {...project} />}
      {/* Symmetric, so it needs no mirrored version. */}
      <span aria-hidden="true">⇄</span>
      <Mark key={String(app.logoUrl)} {...app} />
    </div>
  );
}

/**
 * A logo. Until the image is loaded, or permanently without one, the first letter of the name is shown. The image's host gets no referrer.
 */
function Mark({ name, logoUrl }: AuthorizationParty) {
  const [state, setState] = useState('letter');
  const url = typeof logoUrl === 'string' ? safeImageUrl(logoUrl) : null;
  const [letter = ''] = FIRST_SIGN.exec(name) ?? [];
  return (
    <span data-part="app-mark" data-state={state}>
      <span aria-hidden="true">{letter.toUpperCase()}</span>
      {url !== null && state !== 'failed' && (
        <img
          src={url}
          alt={name}
          referrerPolicy="no-referrer"
          onLoad={() => setState('come')}
          onError={() => setState('failed')}
        />
      )}
    </span>
  );
}
