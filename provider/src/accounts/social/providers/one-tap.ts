import type { ProviderAssurance } from '#server-rules/mfa-policy.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { ACCOUNT_CLIENT_ID, type AccountTokens } from '../built-in/account-tokens.ts';
import type { OpenIdProvider } from './openid-provider.ts';
import { assuranceFrom } from './profiles.ts';
import { SocialFailure } from './social-provider.ts';
import type { AccountProfile } from '../../social-accounts/tables.ts';

/** The subject of One Tap's ID token. */
export interface OneTapIdentity {
  readonly profile: AccountProfile;
  readonly assurance: ProviderAssurance;
  /** The callback for which the page requested the token; null if the page set none. */
  readonly nonce: unknown;
  readonly expires_at: Date;
}

/** Checks the ID tokens that pages receive from One Tap. */
export interface OneTap {
  readonly client_id: string;
  /** Null for a token that Google did not make for this project. */
  check(idToken: string): Promise<OneTapIdentity | null>;
}

interface Claims {
  readonly [claim: string]: unknown;
  readonly nonce?: unknown;
  readonly exp?: number | undefined;
}

function tapped(profile: AccountProfile, claims: Claims): OneTapIdentity {
  const { nonce = null, exp = 0 } = claims;
  return { profile, assurance: assuranceFrom(claims), nonce, expires_at: new Date(exp * 1000) };
}

/** One Tap of the built-in accounts. */
export function devOneTap(tokens: AccountTokens): OneTap {
  return {
    client_id: ACCOUNT_CLIENT_ID,
    async check(idToken) {
      const claims = await tokens.idTokenClaims(idToken, 'google', ACCOUNT_CLIENT_ID);
      return claims === null ? null : tapped(claims, claims);
    },
  };
}

/** One Tap of Google. */
export function googleOneTap(google: OpenIdProvider, client_id: string): OneTap {
  return {
    client_id,
    async check(idToken) {
      try {
        const claims = await google.idTokenClaims(idToken);
        return claims === null ? null : tapped(google.profileOf(claims), claims);
      } catch (error) {
        if (!(error instanceof SocialFailure)) throw error;
        throw new Refusal('service_unavailable', 'Google cannot be reached at the moment. Please try again.', 5);
      }
    },
  };
}
