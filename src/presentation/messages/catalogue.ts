import type { UnreachableReason } from '../../domain/errors.ts';
import type { consent } from './en/consent.ts';
import type { errorTexts } from './en/errors.ts';
import type { feedback } from './en/feedback.ts';
import type { login } from './en/login.ts';
import type { passkeys } from './en/passkeys.ts';
import type { passwords } from './en/passwords.ts';
import type { phones } from './en/phones.ts';
import type { social } from './en/social.ts';
import { start } from './en/start.ts';
import type { wallets } from './en/wallets.ts';

/** Every text of the widgets by its key, except those of errors and of password feedback. */
export type Catalogue = typeof start &
  typeof login &
  typeof phones &
  typeof passwords &
  typeof social &
  typeof wallets &
  typeof passkeys &
  typeof consent;

export type MessageKey = keyof Catalogue;
/** The texts of API errors by `error_type`, and of calls that got no usable answer. */
export type ErrorKey = keyof typeof errorTexts | `unreachable.${UnreachableReason}`;
/** The texts of a server's feedback on passwords. */
export type FeedbackKey = keyof typeof feedback;
/** Every text of the widgets in one language. A missing key does not compile. */
export type Locale = Readonly<Record<MessageKey | ErrorKey | FeedbackKey, string>>;
/**
 * A host's own texts, which replace the built-in ones. They use the same placeholders, such as `{email}`. An unknown key compiles,
 * so that texts for another version do not break the host's build; mounting the widget logs a warning.
 */
export type StringOverrides = Partial<Record<MessageKey | ErrorKey | FeedbackKey | (string & {}), string>>;

/** The English texts that are loaded. The others load with the parts that show them. */
const arrived: Record<string, string> = { ...start };

/** Adds the texts of a loaded part. */
export function addTexts(texts: Readonly<Record<string, string>>): void {
  Object.assign(arrived, texts);
}

/** True when the English text of the key is loaded. */
export const hasText = (key: string): boolean => Object.hasOwn(arrived, key);

/** The English text of a key; the key itself when its part is not loaded. */
export function english(key: MessageKey): string {
  return arrived[key] ?? key;
}
