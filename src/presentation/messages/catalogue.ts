import type { UnreachableReason } from '../../domain/errors.ts';
import type { consent } from './en/consent.ts';
import type { emailed } from './en/login.ts';
import type { oauth } from './en/oauth.ts';
import type { passkeys } from './en/passkeys.ts';
import type { passwords } from './en/passwords.ts';
import type { phone } from './en/phones.ts';
import type { social } from './en/social.ts';
import { start } from './en/start.ts';
import type { wallets } from './en/wallets.ts';
import type { feedback } from './en/feedback.ts';
import type { errorTexts } from './en/errors.ts';

/** Every text of the widgets by its key, but for those of errors. */
export type Catalogue = typeof start &
  typeof emailed &
  typeof phone &
  typeof passwords &
  typeof oauth &
  typeof social &
  typeof wallets &
  typeof passkeys &
  typeof consent;

export type MessageKey = keyof Catalogue;
/** Refusals by their `error_type`, and what stands for them where no answer came. */
export type ErrorKey = keyof typeof errorTexts | `unreachable.${UnreachableReason}`;
/** What servers say of passwords. */
export type FeedbackKey = keyof typeof feedback;
/**
 * A host's own texts over ours. Placeholders are written as ours are: `{email}`. A key that is not ours compiles, so
 * that a newer key does not break a host; it warns when the widget is mounted.
 */
export type StringOverrides = Partial<Record<MessageKey | ErrorKey | FeedbackKey | (string & {}), string>>;

/** The English texts that have arrived; the rest comes with the screens that say them. */
const arrived: Record<string, string> = { ...start };

/** Adds the texts of screens that are loaded later. */
export function addTexts(texts: Readonly<Record<string, string>>): void {
  Object.assign(arrived, texts);
}

/** The English text under a key; the key itself where its screen has not arrived. */
export function english(key: MessageKey): string {
  return arrived[key] ?? key;
}
