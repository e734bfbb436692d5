/** Loaded with the first proof, as a separate file. Code shared with other files would be loaded at the start of every server. */
import type { ClockPort, CryptoPort, UsedProofsPort } from '#application/ports/index.ts';
import { compactJwt } from '#domain/rules/compact-jwt.ts';
import { UsedProofsInMemory } from './used-proofs-in-memory.ts';

/** The request that a proof is for, as a server framework describes it. */
interface Target {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

interface RequestWithProof {
  readonly request: Target;
  readonly proof: string;
  readonly jkt: string;
  readonly jwts: readonly string[];
}

type Fault = 'invalid-proof' | 'used-proof' | null;

interface PageProofsParts {
  /** The URLs of this server, without trailing slashes. */
  readonly serverUrls: readonly string[];
  readonly clock: Pick<ClockPort, 'now'>;
  readonly crypto: Pick<CryptoPort, 'sha256'>;
  /** In memory unless given. */
  readonly used: UsedProofsPort | undefined;
}

/** A JWT lasts five minutes, and a verifier accepts it for up to one more. No proof for it is valid for longer. */
const REMEMBERED_MS = 6 * 60_000;
const LONGEST_PROOF = 4_096;
const LONGEST_ID = 256;

/** Checks the proofs of sessions that are bound to a key of their page (RFC 9449, section 4.3). */
export class PageProofs {
  private readonly used: UsedProofsPort;
  /** The result for each request: two guards of one request check its proof only once. */
  private readonly verdicts = new WeakMap<Target, Promise<Fault>>();

  constructor(private readonly parts: PageProofsParts) {
    this.used = parts.used ?? new UsedProofsInMemory(parts.clock);
  }

  async judge(proved: RequestWithProof): Promise<Fault> {
    const { request } = proved;
    const judging = this.verdicts.get(request) ?? this.decide(proved);
    this.verdicts.set(request, judging);
    return judging;
  }

  private async decide({ request, proof, jkt, jwts }: RequestWithProof): Promise<Fault> {
    const claims = proof.length > LONGEST_PROOF ? null : await this.claimsOf(proof, jkt);
    if (claims === null) return 'invalid-proof';
    const { jti, htm, htu, ath } = claims;
    if (typeof jti !== 'string' || jti.length > LONGEST_ID) return 'invalid-proof';
    if (htm !== request.method || !this.isHere(htu, request)) return 'invalid-proof';
    // The JWT limits the time of the proof: nobody can create a proof before its JWT, which ends five minutes later. The browser's clock,
    // which may be wrong, is not used.
    const hashes = await Promise.all(jwts.map(async (jwt) => this.hashOf(jwt)));
    if (typeof ath !== 'string' || !hashes.includes(ath)) return 'invalid-proof';
    const id = await this.hashOf(`${jkt}\n${jti}`);
    return (await this.used.add(id, this.parts.clock.now() + REMEMBERED_MS)) ? null : 'used-proof';
  }

  /**
   * True if the proof names the URL of the request. The comparison is of text: a path that only routers normalize, such as `/a/../b`, is
   * not one that a browser sends.
   */
  private isHere(htu: unknown, { originalUrl, url = '' }: Target): boolean {
    if (typeof htu !== 'string' || !URL.canParse(htu)) return false;
    const target = originalUrl ?? url;
    const path = target.startsWith('/') ? target.replace(/[?#].*/su, '') : pathOf(target);
    const { origin, pathname } = new URL(htu);
    return path !== null && this.parts.serverUrls.some((server) => `${origin}${pathname}` === `${server}${path}`);
  }

  /**
   * The claims of a proof signed by this key, in the format of the keys of `portico/bound` (ES256, RFC 7518, section 3.4); null for other
   * texts.
   */
  private async claimsOf(proof: string, jkt: string): Promise<Fields | null> {
    try {
      const parts = compactJwt(proof);
      if (parts === null) return null;
      const { typ, alg, jwk, crit } = fieldsOf(parts.header);
      const { kty, crv, x, y, d } = jwk as Fields;
      if (typ !== 'dpop+jwt' || alg !== 'ES256' || crit !== undefined || d !== undefined) return null;
      if (typeof x !== 'string' || typeof y !== 'string' || kty !== 'EC' || crv !== 'P-256') return null;
      // The thumbprint of a key is the hash of these members in this order (RFC 7638, section 3).
      if ((await this.hashOf(JSON.stringify({ crv, kty, x, y }))) !== jkt) return null;
      const { subtle } = globalThis.crypto;
      const key = await subtle.importKey('jwk', { crv, kty, x, y }, { name: 'ECDSA', namedCurve: crv }, false, [
        'verify',
      ]);
      const bytes = new TextEncoder().encode(parts.signingInput);
      const isSigned = await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytesOf(parts.signature), bytes);
      return isSigned ? fieldsOf(parts.payload) : null;
    } catch {
      return null;
    }
  }

  private async hashOf(text: string): Promise<string> {
    return base64url(await this.parts.crypto.sha256(text));
  }
}

const pathOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).pathname : null);

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const bytesOf = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

type Fields = Readonly<Record<string, unknown>>;

/** Throws for a text that is not a JSON object. */
function fieldsOf(part: string): Fields {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)));
  if (typeof value !== 'object' || value === null) throw new Error('no object');
  return value as Fields;
}
