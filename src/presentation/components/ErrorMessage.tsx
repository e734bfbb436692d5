import type { AuthError } from '../../domain/errors.ts';
import { linkify } from '../../domain/linkify.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { errorMessage } from '../messages/errors.ts';

/** What an error says. Addresses of the documentation become links; everything else is text (section 5). */
export function ErrorMessage({ error }: { readonly error: AuthError }) {
  const { strings, t } = useWidget();
  return (
    <bdi data-part="said">
      {linkify(errorMessage(error, strings) ?? t('failure.title')).map((piece, index) =>
        piece.href === null ? (
          piece.text
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer">
            {piece.text}
          </a>
        ),
      )}
    </bdi>
  );
}
