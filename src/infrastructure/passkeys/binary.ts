import { base64url } from '#domain/base64url.ts';

const BASE64 = /^[\w+/-]+={0,2}$/u;

/** Decodes base64url or base64 (RFC 4648, sections 4 and 5). Throws a TypeError for other text, or more than `most` bytes. */
export function bytesOf(text: string, most: number): ArrayBuffer {
  const bare = text.replace(/={1,2}$/u, '');
  if (!BASE64.test(text) || bare.length % 4 === 1 || bare.length > Math.ceil((most * 4) / 3)) {
    throw new TypeError('Not base64url, or too long');
  }
  const binary = atob(bare.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0)).buffer;
}

function isBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

/** The value as JSON text, with every buffer in base64url. */
export function jsonWithBuffers(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (isBuffer(item)) return base64url(new Uint8Array(item));
    return ArrayBuffer.isView(item) ? base64url(new Uint8Array(item.buffer, item.byteOffset, item.byteLength)) : item;
  });
}
