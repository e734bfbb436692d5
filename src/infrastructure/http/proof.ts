import type { BindingKey, ClockPort, CryptoPort } from '#application/ports/index.ts';
import { base64OfText } from '#domain/encoding.ts';
import { base64url } from '#domain/base64url.ts';

/** The request that a proof is for. */
export interface ProofTarget {
  readonly method: string;
  /** Absolute. A query and a fragment are left out. */
  readonly url: string;
  /** The token or JWT that is sent with the proof; null for none. */
  readonly secret: string | null;
  readonly nonce?: string | undefined;
}

interface ProofParts {
  readonly clock: Pick<ClockPort, 'now'>;
  readonly crypto: Pick<CryptoPort, 'uuid' | 'sha256'>;
}

/** A proof of one request by this key: the value of the header `DPoP` (RFC 9449, section 4.2). */
export async function proofBy(
  key: BindingKey,
  { method, url, secret, nonce }: ProofTarget,
  { clock, crypto }: ProofParts,
): Promise<string> {
  const { origin, pathname } = new URL(url);
  const claims = {
    jti: crypto.uuid(),
    htm: method,
    htu: `${origin}${pathname}`,
    iat: Math.floor(clock.now() / 1000),
    nonce,
    ...(secret !== null && { ath: base64url(await crypto.sha256(secret)) }),
  };
  const parts = [{ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk }, claims].map((part) => urlSafe(JSON.stringify(part)));
  return [...parts, base64url(await key.sign(parts.join('.')))].join('.');
}

const urlSafe = (text: string): string =>
  base64OfText(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
