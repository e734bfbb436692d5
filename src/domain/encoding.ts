/** Base64 of bytes and text (RFC 4648). The platform's `btoa` throws on text outside Latin-1, so it gets a character for each byte. */

/** RFC 4648, section 4, with padding. */
export function base64(bytes: Uint8Array): string {
  let latin1 = '';
  for (const byte of bytes) latin1 += String.fromCharCode(byte);
  return btoa(latin1);
}

/** Base64 of the text's UTF-8 bytes. */
export function base64OfText(text: string): string {
  return base64(new TextEncoder().encode(text));
}
