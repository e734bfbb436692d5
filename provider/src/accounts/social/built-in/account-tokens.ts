import { SignJWT, type JWK, type JWTPayload } from 'jose';
import { isLoopbackHost } from '#domain/safe-url.ts';
import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { AccountProfile } from '../../social-accounts/tables.ts';
import { onceMade } from '#provider/base/remember.ts';
import { verifyJwt } from '#provider/base/security/jwts.ts';
import { newToken } from '#provider/base/security/secrets.ts';
import type { Services } from '../../services.ts';
import { accountKeys, type AccountKeys } from './account-keys.ts';

/** The only client of the built-in account page. It is public and uses PKCE. */
export const ACCOUNT_CLIENT_ID = 'portico-test-client';
export const TOKEN_LIFETIME_SECONDS = 300;

export interface IdTokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly nonce: string | null;
  readonly profile: AccountProfile;
}

/** The issuer of the built-in OpenID provider for a social provider. */
export function issuerOf(origin: string, provider: OAuthProvider): string {
  return `${origin}/accounts/${provider}`;
}

/** Signs the ID tokens of the built-in account page. Its separate key cannot sign sessions or tokens of connected apps. */
export class AccountTokens {
  private readonly ready = onceMade((): Promise<AccountKeys> => accountKeys(this.services));

  constructor(private readonly services: Pick<Services, 'db' | 'clock' | 'random' | 'keys'>) {}

  async jwks(): Promise<{ readonly keys: readonly JWK[] }> {
    return { keys: [(await this.ready()).jwk] };
  }

  async idToken({ issuer, audience, nonce, profile }: IdTokenClaims): Promise<string> {
    const jti = newToken(this.services.random);
    return this.sign({ ...profile, jti, ...(nonce === null ? {} : { nonce }) }, 'JWT', issuer, audience);
  }

  async accessToken(issuer: string, profile: AccountProfile, scope: string): Promise<string> {
    return this.sign({ ...profile, scope, client_id: ACCOUNT_CLIENT_ID }, 'at+jwt', issuer, `${issuer}/userinfo`);
  }

  /** The claims of a valid ID token for this audience, or null. If no issuer is given, any loopback origin's issuer is accepted. */
  async idTokenClaims(
    token: string,
    provider: OAuthProvider,
    audience: string,
    issuer?: string,
  ): Promise<(JWTPayload & AccountProfile) | null> {
    const claims = await this.verify(token, 'JWT', audience);
    const iss = claims?.iss ?? '';
    const isKnown = issuer === undefined ? isAccountIssuer(iss, provider) : iss === issuer;
    return isKnown ? claims : null;
  }

  async accessTokenClaims(token: string, issuer: string): Promise<(JWTPayload & AccountProfile) | null> {
    return this.verify(token, 'at+jwt', `${issuer}/userinfo`);
  }

  private async sign(claims: JWTPayload, typ: string, issuer: string, audience: string): Promise<string> {
    const { privateKey, jwk } = await this.ready();
    const now = Math.floor(this.services.clock.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
      .sign(privateKey);
  }

  private async verify(token: string, typ: string, audience: string): Promise<(JWTPayload & AccountProfile) | null> {
    try {
      const { payload } = await verifyJwt<AccountProfile>(token, (await this.ready()).publicKey, {
        algorithms: ['RS256'],
        typ,
        audience,
        currentDate: new Date(this.services.clock.now()),
        requiredClaims: ['iss', 'sub', 'exp', 'iat'],
      });
      return payload;
    } catch {
      return null;
    }
  }
}

function isAccountIssuer(issuer: string, provider: OAuthProvider): boolean {
  try {
    const { origin, hostname } = new URL(issuer);
    return isLoopbackHost(hostname) && issuer === issuerOf(origin, provider);
  } catch {
    return false;
  }
}
