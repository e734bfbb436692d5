/** The version 4 UUID of four random 32-bit words (RFC 9562, section 5.4). */
export function uuidV4(words: Uint32Array): string {
  const hex = Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
  const variant = '89ab'.charAt((words[2] ?? 0) >>> 30);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
