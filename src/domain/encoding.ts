/** Text and bytes to the encodings of the wire. Pure: the platform's `btoa` throws on what is not Latin-1. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** RFC 4648, section 4, with padding. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let index = 0; index < 4; index += 1) {
      text += index <= left ? ALPHABET.charAt((word >> (18 - 6 * index)) & 63) : '=';
    }
  }
  return text;
}

/** RFC 4648, section 5, without padding. */
export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Base64 of the text's UTF-8 bytes. */
export function base64OfText(text: string): string {
  return base64(new TextEncoder().encode(text));
}
