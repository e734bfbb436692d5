import { useWidget } from '../../hooks/useWidget.ts';
import { piecesOf, wordsOf } from '../../messages/catalogue.ts';

interface Props {
  /** The page of connected apps; null if the host configured none. */
  readonly url: string | null;
  readonly projectName: string;
}

/** The notice about revoking the access. The link opens a new tab, because the request is pending on this page. */
export function TakeBack({ url, projectName }: Props) {
  const { strings, t } = useWidget();
  const place = t('consent.takeBack.place');
  const values = { projectName, place };
  return (
    <p data-part="take-back">
      {piecesOf(wordsOf('consent.takeBack', strings), values).map(({ text, isValue }, index) =>
        isValue ? (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <bdi key={index}>
            {url === null || text !== place ? (
              <span>{text}</span>
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {text}
              </a>
            )}
          </bdi>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
          <span key={index}>{text}</span>
        ),
      )}
    </p>
  );
}
