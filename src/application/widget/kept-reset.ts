import type { Services } from '../services.ts';

export type ResetTokenType = 'login' | 'reset';

/** The token and its type, from the address of a reset mail's link. */
export interface KeptReset {
  readonly token: string;
  readonly tokenType: ResetTokenType;
}

export type ResetStorage = Services<'tabStorage' | 'keys'>;

export const keyOf = ({ keys }: ResetStorage): string => keys.storage('reset');

/** The token that was removed from this tab's URL and is not used yet, or null. A damaged entry is ignored. */
export function keptReset(place: ResetStorage): KeptReset | null {
  const [, tokenType, token] = /^(login|reset):(.+)$/u.exec(place.tabStorage.get(keyOf(place)) ?? '') ?? [];
  return token === undefined ? null : { token, tokenType: tokenType as ResetTokenType };
}

/** Stores a token for this tab only, replacing the previous one. */
export function keepReset(place: ResetStorage, { token, tokenType }: KeptReset): void {
  place.tabStorage.set(keyOf(place), `${tokenType}:${token}`);
}
