import { useEffect, useRef } from 'react';
import { retryAfterOf, type AuthError } from '#domain/errors.ts';
import { linkify } from './linkify.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { errorMessage, lacksNetwork } from './error-message.ts';
import { Wait } from './Countdowns.tsx';

/** When each error was first shown. The server's `Retry-After` counts from then, even after rendering again. */
const shownAt = new WeakMap<AuthError, number>();

function waitUntil(error: AuthError, now: number): number | null {
  const wait = retryAfterOf(error);
  if (wait === null || !(wait > 0)) return null;
  const first = shownAt.get(error) ?? now;
  shownAt.set(error, first);
  return first + wait;
}

/**
 * The text of an error and, if the server sent one, the time to wait. URLs of the documentation become links; all other text stays plain
 * text (section 5).
 */
export function ErrorMessage({ error }: { readonly error: AuthError }) {
  const { model, strings, t } = useWidget();
  const until = waitUntil(error, model.clock.now());
  const ofApp = model.getState().screen.name === 'IDPConsent';
  const place = useRef<HTMLElement>(null);
  const isOffline = lacksNetwork(error);
  useEffect(() => {
    // The request is sent again when there is a network, unless the person changes the fields.
    const edited = (): void => model.send({ type: 'form/edited' });
    const ending = new AbortController();
    if (isOffline) place.current?.closest('[data-part=container]')?.addEventListener('input', edited, ending);
    return () => ending.abort();
  }, [model, isOffline]);
  return (
    <>
      <bdi ref={place} data-part="said">
        {linkify(errorMessage(error, strings, ofApp) ?? t('failure.title')).map((piece, index) =>
          piece.href === null ? (
            // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
            <span key={index}>{piece.text}</span>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
            <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer">
              {piece.text}
            </a>
          ),
        )}
      </bdi>
      {until !== null && (
        <>
          <span> </span>
          <Wait until={until} />
        </>
      )}
    </>
  );
}
