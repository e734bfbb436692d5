/**
 * The reference of the texts that a host can replace (`docs/text-keys.md`), generated from the English catalogue.
 *
 * `node scripts/lib/jiti.mjs scripts/text-reference.ts --write` writes the page; a test compares the page with the catalogue.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SDKAPIUnreachableError, type SDKAPIError, type UnreachableReason } from '#domain/errors.ts';
import { REFUSAL_TEXTS, TRANSLATED_TEXTS, type TranslatedRefusal } from '#domain/rules/refusal-texts.ts';
import { walletError } from '#domain/wallets/wallet-errors.ts';
import type { ErrorKey } from '#presentation/messages/catalogue.ts';
import { account } from '#presentation/messages/en/account.ts';
import { consent } from '#presentation/messages/en/consent.ts';
import { errorTexts } from '#presentation/messages/en/errors.ts';
import { factors } from '#presentation/messages/en/factors.ts';
import { feedback, feedbackForPeople } from '#presentation/messages/en/feedback.ts';
import { login } from '#presentation/messages/en/login.ts';
import { passkeySignUp } from '#presentation/messages/en/passkey-sign-up.ts';
import { passkeys } from '#presentation/messages/en/passkeys.ts';
import { passwords } from '#presentation/messages/en/passwords.ts';
import { phones } from '#presentation/messages/en/phones.ts';
import { social } from '#presentation/messages/en/social.ts';
import { start } from '#presentation/messages/en/start.ts';
import { userButton } from '#presentation/messages/en/user-button.ts';
import { wallets } from '#presentation/messages/en/wallets.ts';
import { NEW_METHOD } from '#server-rules/authorization.ts';
import { isMain, ROOT } from './lib/root.mjs';

const PAGE = 'docs/text-keys.md';

const message = (reason: UnreachableReason): string => new SDKAPIUnreachableError(reason).message;

/** Errors whose English text is the message of the server or of the client. */
const MESSAGES: Omit<Record<ErrorKey, string>, keyof typeof errorTexts> = {
  ...(Object.fromEntries(Object.entries(TRANSLATED_TEXTS).map(([type, text]) => [`error.${type}`, text])) as Record<
    `error.${TranslatedRefusal}`,
    string
  >),
  'error.login_required.new_method': NEW_METHOD,
  'error.crypto_wallet_request_pending': (walletError({ code: -32002 }) as SDKAPIError).error_message,
  'error.gone': REFUSAL_TEXTS.crypto_wallet_not_found,
  'error.app': '{message}',
  'unreachable.network': message('network'),
  'unreachable.invalid-json': message('invalid-json'),
  'unreachable.invalid-response': message('invalid-response'),
  'unreachable.captcha-required': message('captcha-required'),
};

type Texts = Readonly<Record<string, string>>;

/** The sections of the page, in order. Each has its keys in the order of the catalogue. */
const SECTIONS: readonly (readonly [title: string, texts: Texts])[] = [
  ['The first screen', start],
  ['Links, passcodes and the end of a login', login],
  ['Social logins', social],
  ['Phone numbers', phones],
  ['Passwords', passwords],
  ['Advice on a weak password', { ...feedback, ...feedbackForPeople }],
  ['Passkeys', { ...passkeys, ...passkeySignUp }],
  ['Wallets', wallets],
  ['The second factor, fields and terms', factors],
  ['The account page', account],
  ['The user button', userButton],
  ['Consent, devices and logout', consent],
  ['Errors', errorTexts],
  ['Errors with the words of the server', MESSAGES],
];

const HEAD = `# The keys of the texts

Every text of the widgets by its key, with its English words and its placeholders. [\`strings\`](texts-and-languages.md#your-own-words) replaces texts
by these keys, in every language. A placeholder is filled in as plain text; your text can leave it out.

A key that begins with \`error.\` has the \`error_type\` of the server. \`unreachable.…\` are the texts of calls without a usable answer.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

export function textReference(): string {
  const sections = SECTIONS.map(([title, texts]) => {
    const rows = Object.entries(texts).map(([key, text]) => {
      const placeholders = [...text.matchAll(/\{\w{1,40}\}/gu)].map(([placeholder]) => `\`${placeholder}\``);
      return `| \`${key}\` | ${text === '' ? '(empty)' : cell(text)} | ${[...new Set(placeholders)].join(' ')} |`;
    });
    return `## ${title}\n\n${['| key | English | placeholders |', '|---|---|---|', ...rows].join('\n')}\n`;
  });
  return `${HEAD}\n${sections.join('\n')}`;
}

if (isMain(import.meta.url)) {
  const text = textReference();
  if (process.argv.includes('--write')) writeFileSync(join(ROOT, PAGE), text);
  else process.stdout.write(text);
}
