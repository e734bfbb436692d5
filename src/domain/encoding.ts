/** Base64 of bytes and text (RFC 4648), without the platform's `btoa`, which throws on text outside Latin-1. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const CODES: readonly number[] = /* @__PURE__ */ Array.from(ALPHABET, (char) => char.charCodeAt(0));
const PADDING = /* @__PURE__ */ '='.charCodeAt(0);
/** The number of characters that one call makes: engines limit the number of arguments. */
const PIECE = 4_096;

/** RFC 4648, section 4, with padding. Every request has a header in base64, so the text is joined from few pieces. */
export function base64(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let index = 0; index < 4; index += 1) {
      codes.push(index <= left ? (CODES[(word >> (18 - 6 * index)) & 63] ?? PADDING) : PADDING);
    }
  }
  let text = '';
  for (let at = 0; at < codes.length; at += PIECE) text += String.fromCharCode(...codes.slice(at, at + PIECE));
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
