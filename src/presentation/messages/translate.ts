import {
  english,
  type Catalogue,
  type ErrorKey,
  type FeedbackKey,
  type MessageKey,
  type StringOverrides,
} from './catalogue.ts';

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
export type Placeholders<Key extends MessageKey> = Names<Catalogue[Key]>;
export type Values<Key extends MessageKey> = Readonly<Record<Placeholders<Key>, string>>;
type Args<Key extends MessageKey> = [Placeholders<Key>] extends [never] ? [] : [values: Values<Key>];

/** The text of a key as a plain string. A key with placeholders does not compile without their values. */
export type Translate = <Key extends MessageKey>(key: Key, ...args: Args<Key>) => string;

/** A piece of a text: words, or the value of a placeholder. */
export interface Piece {
  readonly text: string;
  readonly isValue: boolean;
}

/** A text, split at its placeholders. A placeholder without a value is kept as text. */
export function piecesOf(text: string, values: Readonly<Record<string, string>>): readonly Piece[] {
  return text.split(/\{(\w+)\}/u).flatMap((part, index): Piece[] => {
    if (index % 2 === 0) return part === '' ? [] : [{ text: part, isValue: false }];
    return Object.hasOwn(values, part)
      ? [{ text: String(values[part]), isValue: true }]
      : [{ text: `{${part}}`, isValue: false }];
  });
}

/** The overriding text of a key, or null. */
export function overlaid(
  key: MessageKey | ErrorKey | FeedbackKey,
  overrides: StringOverrides | undefined,
): string | null {
  const own: unknown = overrides && Object.hasOwn(overrides, key) ? overrides[key] : undefined;
  return typeof own === 'string' ? own : null;
}

/** The text of a key: the override if there is one, else the built-in English. */
export function wordsOf(key: MessageKey, overrides: StringOverrides | undefined): string {
  return overlaid(key, overrides) ?? english(key);
}

export function makeTranslate(overrides: StringOverrides | undefined): Translate {
  return (key, ...args) => {
    const [values = {}] = args as [Readonly<Record<string, string>>?];
    return piecesOf(wordsOf(key, overrides), values)
      .map((piece) => piece.text)
      .join('');
  };
}
