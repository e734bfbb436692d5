import { useWidget } from '../../hooks/useWidget.ts';
import { type MessageKey, piecesOf, wordsOf, type Values } from '../../messages/catalogue.ts';

interface Props<Key extends MessageKey> {
  readonly id: Key;
  readonly values: Values<Key>;
}

/**
 * A text with values, each isolated in its own writing direction, and never rendered as markup. A long address breaks before its sign,
 * so that neither its last letter nor the sentence's full stop stands on a line alone.
 */
export function Message<Key extends MessageKey>({ id, values }: Props<Key>) {
  const { strings } = useWidget();
  return piecesOf(wordsOf(id, strings), values).map((piece, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
    piece.isValue ? <bdi key={index}>{withBreaks(piece.text)}</bdi> : piece.text,
  );
}

/** Up to here an address fits into a line of the narrowest card, and moves to the next line as a whole. */
const SHORT = 22;

const withBreaks = (text: string) =>
  text.length > SHORT
    ? // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
      text.split(/(?=@)/u).flatMap((part, at) => [at > 0 && <wbr key={at} />, part])
    : text;
