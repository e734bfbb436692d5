import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import type { PublishedKey } from '#application/ports/index.ts';
import { TOKEN_HASH, tokenHashOf } from '#domain/sessions/session-claim.ts';

export const PROJECT_ID = 'project-test-issuer';
export const API_URL = 'https://api.example.com';
const SESSION = 'https://stytch.com/session';

/** Signs session JWTs as the wire does, with keys of its own. Times are those of the clock. */
export class Issuer {
  private constructor(
    readonly kid: string,
    private readonly privateKey: CryptoKey,
    readonly published: PublishedKey,
    private readonly now: () => number,
  ) {}

  static async make(kid: string, now: () => number): Promise<Issuer> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const published = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
    return new Issuer(kid, privateKey, published, now);
  }

  /** @param token the session token that is issued with the JWT; without it, the claims of an issuer that binds none */
  claims(user: string, roles: readonly string[] = ['stytch_user'], token?: string): JWTPayload {
    const seconds = Math.floor(this.now() / 1000);
    const iso = (ms: number): string => new Date(this.now() + ms).toISOString();
    return {
      iss: `stytch.com/${PROJECT_ID}`,
      aud: [PROJECT_ID],
      sub: user,
      iat: seconds,
      nbf: seconds,
      exp: seconds + 300,
      [SESSION]: {
        id: `session-of-${user}`,
        started_at: iso(0),
        last_accessed_at: iso(0),
        expires_at: iso(3_600_000),
        attributes: { ip_address: '127.0.0.1', user_agent: '' },
        authentication_factors: [],
        roles,
        ...(token === undefined ? {} : { [TOKEN_HASH]: tokenHashOf(createHash('sha256').update(token).digest()) }),
      },
    };
  }

  async sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: this.kid, ...header })
      .sign(this.privateKey);
  }

  async jwt(user: string, roles?: readonly string[], token?: string): Promise<string> {
    return this.sign(this.claims(user, roles, token));
  }
}

export const bearer = (secret: string): Request =>
  new Request('https://app.example.com/', { headers: { authorization: `Bearer ${secret}` } });

export const withCookies = (cookie: string): Request =>
  new Request('https://app.example.com/', { headers: { cookie } });
