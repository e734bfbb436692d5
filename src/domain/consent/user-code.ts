/** The codes that a device shows and a person enters elsewhere (RFC 8628, section 6.1). */

/** No vowels, so that codes spell no words; no digits, because they look like letters. */
export const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
export const USER_CODE_LENGTH = 8;

const STRANGE = new RegExp(`[^${USER_CODE_ALPHABET}]`, 'gu');

/** The letters of a code as a person may write it: in lower case, in full width, with spaces and hyphens. Longer text is cut. */
export function readUserCode(text: string): string {
  return text.slice(0, 64).normalize('NFKC').toUpperCase().replaceAll(STRANGE, '').slice(0, USER_CODE_LENGTH);
}

/** The code in two groups, such as `WDJB-MJHT`. An incomplete code is returned as far as it goes. */
export function shownUserCode(text: string): string {
  const code = readUserCode(text);
  const half = USER_CODE_LENGTH / 2;
  return code.length > half ? `${code.slice(0, half)}-${code.slice(half)}` : code;
}

export const isUserCode = (text: string): boolean => readUserCode(text).length === USER_CODE_LENGTH;
