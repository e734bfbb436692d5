import type { User } from './user.ts';

/** True if the user has a way to sign in. Lists that the server left out count as empty. */
export function hasWayIn(user: User): boolean {
  const ways = [user.emails, user.phone_numbers, user.webauthn_registrations, user.providers, user.crypto_wallets];
  return ways.some((list) => (list?.length ?? 0) > 0);
}
