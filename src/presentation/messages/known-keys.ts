import { consent } from './en/consent.ts';
import { emailed } from './en/login.ts';
import { feedback } from './en/feedback.ts';
import { oauth } from './en/oauth.ts';
import { passkeys } from './en/passkeys.ts';
import { passwords } from './en/passwords.ts';
import { phone } from './en/phones.ts';
import { social } from './en/social.ts';
import { start } from './en/start.ts';
import { wallets } from './en/wallets.ts';
import type { UnreachableReason } from '../../domain/errors.ts';
import type { Catalogue, ErrorKey, FeedbackKey } from './catalogue.ts';
import { errorTexts } from './en/errors.ts';

const texts: Catalogue = {
  ...start,
  ...emailed,
  ...phone,
  ...passwords,
  ...oauth,
  ...social,
  ...wallets,
  ...passkeys,
  ...consent,
};
const unreachable: Readonly<Record<UnreachableReason, true>> = {
  network: true,
  'invalid-json': true,
  'invalid-response': true,
  'captcha-required': true,
};
const others: Readonly<Partial<Record<ErrorKey | FeedbackKey, unknown>>> = {
  ...errorTexts,
  ...feedback,
  ...Object.fromEntries(Object.keys(unreachable).map((reason) => [`unreachable.${reason}`, true])),
};

/** True for a key that some text of the widgets stands under. */
export function isKnownKey(key: string): boolean {
  return Object.hasOwn(texts, key) || Object.hasOwn(others, key);
}
