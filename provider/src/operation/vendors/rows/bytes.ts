import { isRecord } from '#domain/shape.ts';

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/u;

function ofList(list: readonly unknown[]): Buffer | undefined {
  const isByte = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
  return list.every(isByte) ? Buffer.from(list) : undefined;
}

function ofText(text: string): Buffer | undefined {
  const [, hex] = /^(?:\\{1,2}|0)x((?:[0-9a-f]{2})*)$/iu.exec(text.trim()) ?? [];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  const plain = text.replaceAll(/-----[A-Z ]+-----|\s/gu, '');
  return BASE64.test(plain) && plain.replaceAll('=', '').length % 4 !== 1 ? Buffer.from(plain, 'base64') : undefined;
}

/**
 * Bytes as an export writes them: base64 in either alphabet, also as PEM, `\x` or `0x` and hexadecimal digits, or the JSON of a Buffer
 * of Node or of a typed array. Undefined for anything else.
 */
export function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value)) return ofList(value);
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'Buffer' && Array.isArray(value['data'])) return ofList(value['data']);
  const binary = value['$binary'];
  if (isRecord(binary)) return bytesOf(binary['base64']);
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key, at) => key === String(at)) ? ofList(Object.values(value)) : undefined;
}
