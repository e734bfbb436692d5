import { OTP_METHODS } from '../contacts/channels.ts';
import type { OtpMethod } from '../passcodes/otp.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '../social/oauth-providers.ts';
import type { AuthenticationFactor, Session } from './session.ts';

/** A login method, as this browser remembers it (ours, not in the specification). */
export type LoginMethod = OtpMethod | 'passkey' | 'wallet' | `oauth:${OAuthProvider}`;

const BY_DELIVERY: ReadonlyMap<string, LoginMethod> = new Map<string, LoginMethod>([
  ...OTP_METHODS.map((method): [string, LoginMethod] => [method, method]),
  ['knowledge', 'email'],
  ['webauthn_registration', 'passkey'],
  ['crypto_wallet', 'wallet'],
  ...(Object.keys(OAUTH_PROVIDERS) as OAuthProvider[]).map((provider): [string, LoginMethod] => [
    `oauth_${provider}`,
    `oauth:${provider}`,
  ]),
]);

const at = ({ last_authenticated_at }: AuthenticationFactor): number => Date.parse(last_authenticated_at) || 0;

/** The login method of the session's latest factor; null for a method that Main does not show. */
export function lastMethodOf({ authentication_factors: factors }: Session): LoginMethod | null {
  if (!Array.isArray(factors)) return null;
  const [latest] = [...factors].sort((a, b) => at(b) - at(a));
  return (latest && BY_DELIVERY.get(latest.delivery_method)) ?? null;
}
