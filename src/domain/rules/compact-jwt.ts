/** The parts of a JWT in compact form (RFC 7515, section 7.1). */
interface CompactJwt {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  /** The signed text. One text can have several valid signatures, so single-use tokens are recorded by this text. */
  readonly signingInput: string;
}

/** The last characters of base64url whose unused bits are 0, by the length of the text modulo 4 (RFC 4648, section 3.5). */
const ENDS = [/^/u, /$^/u, /[AQgw]$/u, /[AEIMQUYcgkosw048]$/u] as const;

const isPart = (text: string): boolean => /^[A-Za-z0-9_-]+$/u.test(text) && ENDS[text.length % 4]?.test(text) === true;

/**
 * The parts of a JWT; null for any other text. Decoders ignore padding, blanks and unused bits; without this check, one token would have
 * many spellings.
 */
export function compactJwt(text: string): CompactJwt | null {
  const parts = text.split('.', 4);
  const [header = '', payload = '', signature = ''] = parts;
  return parts.length === 3 && parts.every(isPart)
    ? { header, payload, signature, signingInput: `${header}.${payload}` }
    : null;
}
