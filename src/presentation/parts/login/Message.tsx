import { useWidget } from '../../hooks/useWidget.ts';
import { type MessageKey, piecesOf, wordsOf, type Values } from '../../messages/catalogue.ts';

interface Props<Key extends MessageKey> {
  readonly id: Key;
  readonly values: Values<Key>;
}

/**
 * A text with values, each isolated in its own writing direction, and never rendered as markup. A long address breaks before its sign, so
 * that neither its last letter nor the sentence's full stop is alone on a line.
 */
export function Message<Key extends MessageKey>({ id, values }: Props<Key>) {
  const { strings } = useWidget();
  return piecesOf(wordsOf(id, strings), values).map(({ text, isValue }, index) => {
    const Piece = isValue ? 'bdi' : 'span';
    return isValue && isLiteral(text) ? (
      // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
      <bdi key={`literal ${index}`} translate="no">
        {withBreaks(text)}
      </bdi>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
      <Piece key={index}>{text}</Piece>
    );
  });
}

/** True for an address, a host or digits, which need no translation. */
const isLiteral = (text: string): boolean => !/\p{L}/u.test(text) || /^[^\s@.:]*[@.:]\S*$/u.test(text);

/** Up to this length an address fits into a line of the narrowest card, and moves to the next line as a whole. */
const SHORT = 22;

const withBreaks = (text: string) =>
  text.length > SHORT
    ? // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text have no other identity
      text.split(/(?=@)/u).flatMap((part, at) => [at > 0 && <wbr key={at} />, part])
    : text;
