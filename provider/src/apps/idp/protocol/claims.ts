import type { User } from '#domain/users/user.ts';

/** The claims of each scope (OpenID Connect Core, section 5.4). */
const SCOPE_CLAIMS: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'given_name', 'middle_name', 'family_name', 'picture'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

/** All claims that scopes can grant. */
export const CLAIMS = ['sub', ...Object.values(SCOPE_CLAIMS).flat()];

/** The scope that grants the claim; undefined for a claim that no scope grants. */
export function scopeOfClaim(claim: string): string | undefined {
  return Object.keys(SCOPE_CLAIMS).find((scope) => SCOPE_CLAIMS[scope]?.includes(claim));
}

type Claims = Readonly<Record<string, string | boolean>>;

/**
 * The claims that the scopes grant (OpenID Connect Core, section 5.4). Unknown claims are left out (5.3.2).
 *
 * An unverified address or number counts as unknown: many apps look up accounts by `email` without checking
 * `email_verified`, so another person's address in the claims would open that person's account there.
 */
export function claimsOf(user: User, scopes: readonly string[]): Claims {
  return {
    ...(scopes.includes('profile') ? profileOf(user) : {}),
    ...(scopes.includes('email') ? emailOf(user) : {}),
    ...(scopes.includes('phone') ? phoneOf(user) : {}),
  };
}

function profileOf({ name, providers }: User): Claims {
  const { first_name = '', middle_name = '', last_name = '' } = name;
  const picture = providers.map((each) => each.profile_picture_url ?? '').find((url) => url !== '') ?? '';
  const claims = {
    name: [first_name, middle_name, last_name].filter((part) => part !== '').join(' '),
    given_name: first_name,
    middle_name,
    family_name: last_name,
    picture,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== ''));
}

function emailOf({ emails }: User): Claims {
  const email = emails.find(({ verified }) => verified);
  return email === undefined ? {} : { email: email.email, email_verified: true };
}

function phoneOf({ phone_numbers }: User): Claims {
  const phone = phone_numbers.find(({ verified }) => verified);
  return phone === undefined ? {} : { phone_number: phone.phone_number, phone_number_verified: true };
}
