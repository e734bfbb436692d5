import type { UnreachableReason } from '#domain/errors.ts';
import type { TranslatedRefusal } from '#domain/rules/refusal-texts.ts';
import type { account } from './en/account.ts';
import type { consent } from './en/consent.ts';
import type { errorTexts } from './en/errors.ts';
import type { factors } from './en/factors.ts';
import type { feedback } from './en/feedback.ts';
import type { login } from './en/login.ts';
import type { passkeySignUp } from './en/passkey-sign-up.ts';
import type { passkeys } from './en/passkeys.ts';
import type { passwords } from './en/passwords.ts';
import type { phones } from './en/phones.ts';
import type { social } from './en/social.ts';
import { start } from './en/start.ts';
import type { userButton } from './en/user-button.ts';
import type { wallets } from './en/wallets.ts';

/** Every text of the widgets by its key, except those of errors and of password feedback. */
export type Catalogue = typeof start &
  typeof login &
  typeof phones &
  typeof passwords &
  typeof social &
  typeof wallets &
  typeof passkeys &
  typeof passkeySignUp &
  typeof consent &
  typeof factors &
  typeof account &
  typeof userButton;

export type MessageKey = keyof Catalogue;
/** The texts that only translations have: in English an error of another type shows its own message. */
type TranslatedKey =
  `error.${TranslatedRefusal | 'login_required.new_method' | 'crypto_wallet_request_pending' | 'gone' | 'app'}`;
/** The texts of API errors by `error_type`, and of calls that got no usable answer. */
export type ErrorKey = keyof typeof errorTexts | TranslatedKey | `unreachable.${UnreachableReason}`;
/** The texts of a server's feedback on passwords. */
export type FeedbackKey = keyof typeof feedback;
/** The texts of the account page and the user button in one language, which are loaded with them. A missing key is a compile error. */
export type AccountTexts = Readonly<Record<keyof typeof account | keyof typeof userButton, string>>;
/** The texts of the second factor in one language, which are loaded with it. A missing key is a compile error. */
export type FactorTexts = Readonly<Record<keyof typeof factors, string>>;
/** All other texts of the widgets in one language. A missing key is a compile error. */
export type Locale = Readonly<
  Record<Exclude<MessageKey, keyof AccountTexts | keyof FactorTexts> | ErrorKey | FeedbackKey, string>
>;
/**
 * A host's own texts, which replace the built-in ones. They use the same placeholders, such as `{email}`. An unknown key compiles,
 * so that texts for another version do not break the host's build; mounting the widget logs a warning.
 */
export type StringOverrides = Partial<Record<MessageKey | ErrorKey | FeedbackKey | (string & {}), string>>;

/** The loaded English texts. The others load with the parts that show them. */
const arrived: Record<string, string> = { ...start };

/** Adds the texts of a loaded part. */
export function addTexts(texts: Readonly<Record<string, string>>): void {
  Object.assign(arrived, texts);
}

/** True when the English text of the key is loaded. */
export const hasText = (key: string): boolean => Object.hasOwn(arrived, key);

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Placeholders<Key extends MessageKey> = Names<Catalogue[Key]>;
export type Values<Key extends MessageKey> = Readonly<Record<Placeholders<Key>, string>>;
type Args<Key extends MessageKey> = [Placeholders<Key>] extends [never] ? [] : [values: Values<Key>];

/** The text of a key as a plain string. For a key with placeholders, missing values are a compile error. */
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

/** The words for a key: the host's own string if it has one, else ours; the key itself if its part has not loaded. */
export function wordsOf(key: MessageKey, overrides: StringOverrides | undefined): string {
  return overlaid(key, overrides) ?? arrived[key] ?? key;
}

export function makeTranslate(overrides: StringOverrides | undefined): Translate {
  return (key, ...args) => {
    const [values = {}] = args as [Readonly<Record<string, string>>?];
    return piecesOf(wordsOf(key, overrides), values)
      .map((piece) => piece.text)
      .join('');
  };
}
