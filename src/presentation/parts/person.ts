import type { User } from '#domain/users/user.ts';

/** How a user is shown on one line. If a server left out a list, it counts as empty. */
export interface UserSummary {
  /** The name, else the address, else the number; empty when the user has none of them. */
  readonly label: string;
  /** The address or number, when `label` is the name; else empty. */
  readonly detail: string;
  /** One or two letters for a picture; empty when there is no letter to show. */
  readonly initials: string;
  /** The unchecked URL of the picture from a social login; null when there is none. */
  readonly picture: string | null;
}

const firstLetter = (text: string): string => /\p{L}/u.exec(text)?.[0]?.toLocaleUpperCase() ?? '';

/** The user's full name, or an empty text. */
export function fullName({ name }: Pick<User, 'name'>): string {
  const parts = [name?.first_name, name?.middle_name, name?.last_name];
  return parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join(' ');
}

export function personOf(user: User): UserSummary {
  const name = fullName(user);
  const address = user.emails?.[0]?.email ?? user.phone_numbers?.[0]?.phone_number ?? '';
  const picture = user.providers?.find(({ profile_picture_url: url }) => Boolean(url))?.profile_picture_url ?? null;
  const called = name === '' ? [address] : [user.name.first_name ?? '', user.name.last_name ?? ''];
  return {
    label: name || address,
    detail: name === '' ? '' : address,
    initials: called.map(firstLetter).join(''),
    picture,
  };
}
