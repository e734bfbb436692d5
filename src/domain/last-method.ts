import { OAUTH_PROVIDERS, type OAuthProvider } from './oauth-providers.ts';
import type { AuthenticationFactor, Session } from './session.ts';

/** A way to log in, as it is remembered in this browser (ours). */
export type LoginMethod = 'email' | 'sms' | 'whatsapp' | 'passkey' | 'wallet' | `oauth:${OAuthProvider}`;

const BY_DELIVERY: ReadonlyMap<string, LoginMethod> = new Map<string, LoginMethod>([
  ['email', 'email'],
  ['knowledge', 'email'],
  ['sms', 'sms'],
  ['whatsapp', 'whatsapp'],
  ['webauthn_registration', 'passkey'],
  ['crypto_wallet', 'wallet'],
  ...(Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).map((provider): [string, LoginMethod] => [
    `oauth_${provider}`,
    `oauth:${provider}`,
  ]),
]);

const at = ({ last_authenticated_at }: AuthenticationFactor): number => Date.parse(last_authenticated_at) || 0;

/** By which way its latest proof of identity was given; null for a way that has no place on Main. */
export function lastMethodOf({ authentication_factors: factors }: Session): LoginMethod | null {
  if (!Array.isArray(factors)) return null;
  const [latest] = [...factors].sort((a, b) => at(b) - at(a));
  return (latest && BY_DELIVERY.get(latest.delivery_method)) ?? null;
}
