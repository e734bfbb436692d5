import type { User } from '../users/user.ts';

/** Bytes (WebAuthn Level 3, section 5.4.3). */
const MAX_USER_NAME = 256;

interface NameOverrides {
  readonly override_name?: string | undefined;
  readonly override_display_name?: string | undefined;
}

/** The names of a user account that authenticators and passkey providers show (WebAuthn Level 3, sections 5.4.1 and 5.4.3). */
export interface UserNames {
  readonly name: string;
  readonly displayName: string;
}

/** The user's names, the same for a new passkey and for a signal about the existing ones. Other servers may leave lists out. */
export function namesOf(
  user: Pick<User, 'user_id'> & Partial<Pick<User, 'emails' | 'name' | 'phone_numbers' | 'unproven_email'>>,
  { override_name, override_display_name }: NameOverrides = {},
): UserNames {
  const { emails, phone_numbers, unproven_email, user_id } = user;
  const contact = emails?.[0]?.email ?? unproven_email ?? phone_numbers?.[0]?.phone_number;
  const name = (override_name ?? contact ?? user_id).slice(0, MAX_USER_NAME);
  const fullName = `${user.name?.first_name ?? ''} ${user.name?.last_name ?? ''}`.trim();
  return { name, displayName: (override_display_name ?? (fullName === '' ? name : fullName)).slice(0, MAX_USER_NAME) };
}
