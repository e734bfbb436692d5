import { base64 } from './encoding.ts';

/** RFC 4648, section 5, without padding. */
export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
