import { parseJson } from '../json.ts';
import { isImpersonated } from '../rules/factors.ts';
import type { Session } from '../sessions/session.ts';
import type { User } from '../users/user.ts';

/** How long 'Not now' holds, in milliseconds: 90 days. */
const DECLINED_MS = 90 * 86_400_000;
/** How many people a browser remembers; the oldest is forgotten first. */
const MAX_PEOPLE = 20;

/** The types of factors that prove an authenticator app. */
const SECOND: ReadonlySet<string> = new Set(['totp', 'recovery_codes']);

/**
 * Whether this user of this session may create a first passkey: nobody acts for them, they have none and did not log in with
 * one, and the session proves the second factor, without which the server refuses to add a factor. False when it is not known.
 */
export function mayOfferPasskey(user: User, session: Session): boolean {
  const { authentication_factors: factors } = session;
  return (
    user.webauthn_registrations?.length === 0 &&
    Array.isArray(factors) &&
    !isImpersonated(session) &&
    !factors.some(({ type }) => type === 'webauthn') &&
    (!user.totps?.some(({ verified }) => verified) || factors.some(({ type }) => SECOND.has(type)))
  );
}

type DeclinedOffers = readonly (readonly [person: number, until: number])[];

/** A short number for a user's id, so that a shared browser does not keep the ids of its past users (FNV-1a, 32 bits). */
function personOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (const character of userId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** Who said 'Not now', and until when it holds. A text that is not such a list is an empty one. */
function declinedIn(kept: string | null, now: number): DeclinedOffers {
  const list: unknown = kept === null ? null : parseJson(kept);
  const isOne = (one: unknown): one is DeclinedOffers[number] =>
    Array.isArray(one) && Number.isFinite(one[0]) && one[1] > now && one[1] <= now + DECLINED_MS;
  return Array.isArray(list) ? list.filter(isOne) : [];
}

/** Whether the user said 'Not now' in this browser less than 90 days ago. */
export function hasDeclined(kept: string | null, userId: string, now: number): boolean {
  return declinedIn(kept, now).some(([person]) => person === personOf(userId));
}

/** What to keep when the user says 'Not now'. */
export function withDeclined(kept: string | null, userId: string, now: number): string {
  const others = declinedIn(kept, now).filter(([person]) => person !== personOf(userId));
  return JSON.stringify([...others, [personOf(userId), now + DECLINED_MS]].slice(-MAX_PEOPLE));
}
