import { parseJson } from '../json.ts';
import { isImpersonated } from '../rules/factors.ts';
import type { Session } from '../sessions/session.ts';
import type { User } from '../users/user.ts';

/** The time for which 'Not now' is respected, in milliseconds: 90 days. */
const DECLINED_MS = 90 * 86_400_000;
/** The maximum number of stored users; the oldest is removed first. */
const MAX_PEOPLE = 20;

/** The types of factors that prove an authenticator app. */
const SECOND: ReadonlySet<string> = new Set(['totp', 'recovery_codes']);

/**
 * Whether this user of this session may create a first passkey: the user has none and did not log in with one, no impersonator or app
 * acts for them, and the session has the second factor that the server requires for a new factor. False when this is unknown.
 */
export function mayOfferPasskey(user: User, session: Session): boolean {
  const { authentication_factors: factors } = session;
  return (
    user.webauthn_registrations?.length === 0 &&
    mayAdd(user, session) &&
    !factors.some(({ type }) => type === 'webauthn')
  );
}

/** True if this session's user may get a passkey without a question: they proved their password in this session. */
export function mayUpgrade(user: User, session: Session): boolean {
  return mayAdd(user, session) && session.authentication_factors.some(({ type }) => type === 'password');
}

/** True for the user's own session, with the second factor that the server requires for a new factor. */
function mayAdd(user: User, session: Session): boolean {
  const { authentication_factors: factors } = session;
  return (
    Array.isArray(factors) &&
    !isImpersonated(session) &&
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

/** The users who chose 'Not now', with the expiry of each choice. Any other text counts as an empty list. */
function declinedIn(text: string | null, now: number): DeclinedOffers {
  const list: unknown = text === null ? null : parseJson(text);
  const isOne = (one: unknown): one is DeclinedOffers[number] =>
    Array.isArray(one) && Number.isFinite(one[0]) && one[1] > now && one[1] <= now + DECLINED_MS;
  return Array.isArray(list) ? list.filter(isOne) : [];
}

/** True if the user chose 'Not now' in this browser less than 90 days ago. */
export function hasDeclined(text: string | null, userId: string, now: number): boolean {
  return declinedIn(text, now).some(([person]) => person === personOf(userId));
}

/** The text to store when the user chooses 'Not now'. */
export function withDeclined(text: string | null, userId: string, now: number): string {
  const others = declinedIn(text, now).filter(([person]) => person !== personOf(userId));
  return JSON.stringify([...others, [personOf(userId), now + DECLINED_MS]].slice(-MAX_PEOPLE));
}
