import { isPrivateUseUri, safeImageUrl, safeUrl } from '#domain/safe-url.ts';
import { templateError } from './token-templates.ts';
import { FieldError, text, textThat, type Reader } from '../readers/readers.ts';

/** The fields of a connected app, with the same checks for the project file and the backend API. */

export const CLIENT_ID = textThat('1 to 128 characters without spaces', (id) => /^[!-~]{1,128}$/u.test(id));
/** Letters that look like blanks. A name of only these is refused. */
const BLANK = /^[\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u;
/** On one line: line and paragraph separators would begin a new line in a message. */
export const CLIENT_NAME = textThat(
  '1 to 120 visible characters on one line',
  (name) => /^[^\p{C}\p{Zl}\p{Zp}]{1,120}$/u.test(name) && !BLANK.test(name),
);
export const CLIENT_DESCRIPTION = textThat('at most 500 visible characters', (description) =>
  /^[^\p{C}]{0,500}$/u.test(description),
);
/** RFC 6749, section 3.3. */
export const SCOPE = textThat('a scope as RFC 6749 spells one', (scope) => /^[!#-[\]-~]{1,128}$/u.test(scope));
export const CLIENT_REDIRECT = textThat(
  'an https URL, http on this machine, or a URI in the own scheme of a native app such as com.example.app:/callback, without user and fragment',
  (uri) => (safeUrl(uri) !== null || isPrivateUseUri(uri)) && !uri.includes('#'),
);
/** OpenID Connect Back-Channel Logout 1.0, section 2.2. */
export const CLIENT_LOGOUT = textThat(
  'an https URL, or http on this machine, without user and fragment',
  (uri) => safeUrl(uri) !== null && !uri.includes('#'),
);
/** A logo in a data URL is shown without a request to the app's server. */
export const LOGO = textThat(
  'an https URL, http on this machine, or a PNG, JPEG, GIF or WebP image of at most 24 KiB as a data URL',
  (url) => url.length <= 32_768 + 64 && safeImageUrl(url) !== null,
);

/** A template of additional claims, made from the values of its user or client. */
export function templateOf(root: 'user' | 'client'): Reader<string> {
  return (value, path) => {
    const template = text(value, path);
    const wrong = templateError(template, root);
    if (wrong !== null) throw new FieldError(path, wrong);
    return template;
  };
}
