/** Loaded with the first proof, in a file of its own: it imports nothing of this package that another file has. */
import { base64url, calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWTPayload } from 'jose';
import type { ClockPort, CryptoPort, UsedProofsPort } from '../../application/ports/index.ts';
import { UsedProofsInMemory } from './used-proofs-in-memory.ts';

/** What a proof can be for: a request as a framework of servers describes it. */
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
  /** The addresses of this server, without trailing slashes. */
  readonly serverUrls: readonly string[];
  readonly clock: Pick<ClockPort, 'now'>;
  readonly crypto: Pick<CryptoPort, 'sha256'>;
  /** In memory unless given. */
  readonly used: UsedProofsPort | undefined;
}

/** A JWT lasts five minutes, and a verifier accepts it for up to one more. No proof for it is good for longer. */
const REMEMBERED_MS = 6 * 60_000;
const LONGEST_PROOF = 4_096;
const LONGEST_ID = 256;

/** Judges the proofs of sessions that are bound to a key of their page (RFC 9449, section 4.3). */
export class PageProofs {
  private readonly used: UsedProofsPort;
  /** One request that two guards check is proved once. */
  private readonly judged = new WeakMap<Target, Promise<Fault>>();

  constructor(private readonly parts: PageProofsParts) {
    this.used = parts.used ?? new UsedProofsInMemory(parts.clock);
  }

  async judge(proved: RequestWithProof): Promise<Fault> {
    const { request } = proved;
    const judging = this.judged.get(request) ?? this.decide(proved);
    this.judged.set(request, judging);
    return judging;
  }

  private async decide({ request, proof, jkt, jwts }: RequestWithProof): Promise<Fault> {
    const claims = proof.length > LONGEST_PROOF ? null : await claimsOf(proof, jkt);
    if (claims === null) return 'invalid-proof';
    const { jti, htm, htu, ath } = claims;
    if (typeof jti !== 'string' || jti.length > LONGEST_ID) return 'invalid-proof';
    if (htm !== request.method || !this.isHere(htu, request)) return 'invalid-proof';
    // The JWT gives the time of the proof: nobody can make one before the JWT, whose end is five minutes later. So no clock of a
    // browser, which may be wrong, decides.
    const hashes = await Promise.all(jwts.map(async (jwt) => this.hashOf(jwt)));
    if (typeof ath !== 'string' || !hashes.includes(ath)) return 'invalid-proof';
    const id = await this.hashOf(`${jkt}\n${jti}`);
    return (await this.used.add(id, this.parts.clock.now() + REMEMBERED_MS)) ? null : 'used-proof';
  }

  /**
   * Whether the proof names the address of the request. Compared as text: a path that only a router reads otherwise, such as `/a/../b`,
   * is none that a browser sends.
   */
  private isHere(htu: unknown, { originalUrl, url = '' }: Target): boolean {
    if (typeof htu !== 'string' || !URL.canParse(htu)) return false;
    const target = originalUrl ?? url;
    const path = target.startsWith('/') ? target.replace(/[?#].*$/su, '') : pathOf(target);
    const { origin, pathname } = new URL(htu);
    return path !== null && this.parts.serverUrls.some((server) => `${origin}${pathname}` === `${server}${path}`);
  }

  private async hashOf(text: string): Promise<string> {
    return base64url.encode(await this.parts.crypto.sha256(text));
  }
}

const pathOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).pathname : null);

/** The claims of a proof that this key signed; null for every other text. */
async function claimsOf(proof: string, jkt: string): Promise<JWTPayload | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      // That of the keys of `portico/bound`.
      algorithms: ['ES256'],
      requiredClaims: ['jti', 'htm', 'htu', 'ath'],
      currentDate: new Date(0),
    });
    return (await calculateJwkThumbprint(protectedHeader.jwk ?? {})) === jkt ? payload : null;
  } catch {
    return null;
  }
}
