import { OTP_EXPIRATION_MINUTES } from '../passcodes/otp.ts';
import { Refusal } from './refusal.ts';

/** How long the server's tokens, codes, challenges and sessions are valid. */

export const MINUTE_MS = 60_000;

/** Minutes that a request may set, and how many there are when it does not. */
export interface MinutesRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

export const PASSCODE_MINUTES: MinutesRange = { fallback: OTP_EXPIRATION_MINUTES, min: 1, max: 10 };
/** Of the links in emails: logins, sign-ups and password resets. */
export const LINK_MINUTES: MinutesRange = { fallback: 30, min: 5, max: 10_080 };
/** Links that the app's own server asks for, as users of this wire know them from the hosted service. */
export const BACKEND_LINK_MINUTES = {
  login: { ...LINK_MINUTES, fallback: 60 },
  signup: { ...LINK_MINUTES, fallback: 10_080 },
} as const satisfies Record<string, MinutesRange>;
/** How long a new authenticator app can be verified. */
export const TOTP_MINUTES: MinutesRange = { fallback: 60, min: 5, max: 1440 };
export const BACKEND_TOTP_MINUTES: MinutesRange = { ...TOTP_MINUTES, fallback: 1440 };

/** What a request may ask for on this wire. */
export const SESSION_MINUTES = { min: 5, max: 527_040 } as const;

/** Time for the user to confirm with a passkey. */
export const PASSKEY_CHALLENGE_MINUTES = 5;
export const WALLET_CHALLENGE_MINUTES = 5;
/** Between the return from a social provider and `oauth.authenticate`. */
export const OAUTH_TOKEN_MINUTES = 5;
/** Time for a person to find their password at the social provider's page. */
export const OAUTH_FLOW_MINUTES = 30;
/** RFC 6749, section 4.1.2: short. */
export const AUTHORIZATION_CODE_MINUTES = 1;
export const ACCESS_TOKEN_MINUTES = 60;
/** Tokens with which an operator acts for a user, or vouches for one. */
export const OPERATOR_TOKEN_MINUTES = 5;
/** However often such a session is used, it ends then. */
export const IMPERSONATION_MINUTES = 60;

function isWithin(minutes: number, { min, max }: Omit<MinutesRange, 'fallback'>): boolean {
  return Number.isInteger(minutes) && minutes >= min && minutes <= max;
}

/** The minutes that were asked for, or the default; refuses what is out of range, naming the field. */
export function minutesIn(field: string, range: MinutesRange, given: number | undefined): number {
  const minutes = given ?? range.fallback;
  if (isWithin(minutes, range)) return minutes;
  throw new Refusal('invalid_expiration_minutes', `${field} must be a whole number from ${range.min} to ${range.max}.`);
}

/** Refuses a session duration that is not a whole number of minutes within a year. */
export function checkDuration(minutes: number): void {
  if (!isWithin(minutes, SESSION_MINUTES)) throw new Refusal('invalid_session_duration');
}

/** How long the sessions of a project may last, in minutes. */
export interface SessionLimits {
  /** The most that a request may ask for. */
  readonly session_max_minutes: number;
  /** From its start a session lasts no longer than this, however often it is extended or joined. */
  readonly session_absolute_minutes: number;
}

/**
 * A request may ask for all that the wire allows. The longest of these requests is also the longest session, so that every client gets
 * what it asks for at a login, and no page extends a session for ever.
 */
export const SESSION_LIMITS: SessionLimits = {
  session_max_minutes: SESSION_MINUTES.max,
  session_absolute_minutes: SESSION_MINUTES.max,
};

const DURATION_FIELDS = ['session_duration_minutes', 'autofill_session_duration_minutes'] as const;

/**
 * Refuses a body that asks for a longer session than the project allows. Minutes that the wire itself does not allow are left to
 * `checkDuration`, which each call does in its own order.
 */
export function checkSessionMaximum({ session_max_minutes: most }: SessionLimits, body: unknown): void {
  for (const field of DURATION_FIELDS) {
    const minutes = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    if (typeof minutes !== 'number' || !isWithin(minutes, SESSION_MINUTES) || minutes <= most) continue;
    throw new Refusal('invalid_session_duration', `${field} must be at most ${most} in this project.`);
  }
}

/** Since when a session must have started to be live, in milliseconds since 1970. */
export function earliestStart({ session_absolute_minutes: minutes }: SessionLimits, now: number): number {
  return now - minutes * MINUTE_MS;
}

/** The last moment of a session that a login started then, in milliseconds since 1970. */
export function absoluteEnd({ session_absolute_minutes: minutes }: SessionLimits, startedAt: number): number {
  return startedAt + minutes * MINUTE_MS;
}

/** When a session ends. All times are in milliseconds since 1970. */
export interface SessionTimes {
  readonly now: number;
  /** When the session ends so far; absent for a new one. */
  readonly endsAt?: number;
  /** The minutes from now that are asked for; null to leave the end as it is. */
  readonly minutes: number | null;
  /** Its last moment: `absoluteEnd`, or before that the end of the tokens of which an app made it. */
  readonly latest: number;
}

/** The end of a session that starts, is joined or is extended: never sooner than it was, unless it lasts too long already. */
export function sessionEnd(
  { session_max_minutes: most }: SessionLimits,
  { now, endsAt = 0, minutes, latest }: SessionTimes,
): number {
  const wanted = minutes === null ? 0 : now + Math.min(minutes, most) * MINUTE_MS;
  return Math.min(Math.max(endsAt, wanted), latest);
}
