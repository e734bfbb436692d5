import { OTP_EXPIRATION_MINUTES } from '../passcodes/otp.ts';
import { Refusal } from './refusal.ts';

/** The lifetimes of the server's tokens, codes, challenges and sessions. */

export const MINUTE_MS = 60_000;

/** The range of minutes that a request may set, and the default. */
export interface MinutesRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

export const PASSCODE_MINUTES: MinutesRange = { fallback: OTP_EXPIRATION_MINUTES, min: 1, max: 10 };
/** The links in emails: logins, sign-ups and password resets. */
export const LINK_MINUTES: MinutesRange = { fallback: 30, min: 5, max: 10_080 };
/** The maximum lifetime of an emailed link, unless the project allows more. OWASP ASVS 5.0, requirement 6.5.5, allows 10 minutes. */
export const LINK_LIMITS = { link_max_minutes: 30 } as const;
/** Links that the app's own server requests, with the hosted service's lifetimes. */
export const BACKEND_LINK_MINUTES = {
  login: { ...LINK_MINUTES, fallback: 60 },
  signup: { ...LINK_MINUTES, fallback: 10_080 },
} as const satisfies Record<string, MinutesRange>;
/** The time in which a new authenticator app can be verified. */
export const TOTP_MINUTES: MinutesRange = { fallback: 60, min: 5, max: 1440 };
export const BACKEND_TOTP_MINUTES: MinutesRange = { ...TOTP_MINUTES, fallback: 1440 };

/** The session durations that a request may set on this wire. */
export const SESSION_MINUTES = { min: 5, max: 527_040 } as const;

/** The time for which a session's JWT is returned again, in milliseconds, if a new one would differ only in its times. */
export const JWT_REPEATED_MS = 30_000;
/** Time for the user to confirm with a passkey. */
export const PASSKEY_CHALLENGE_MINUTES = 5;
export const WALLET_CHALLENGE_MINUTES = 5;
/** Between the return from a social provider and `oauth.authenticate`. */
export const OAUTH_TOKEN_MINUTES = 5;
/** Time for a person to find their password at the social provider's page. */
export const OAUTH_FLOW_MINUTES = 30;
/** RFC 6749, section 4.1.2: short. */
export const AUTHORIZATION_CODE_MINUTES = 1;
/** Time for a person to enter the code of a device elsewhere. */
export const DEVICE_CODE_MINUTES = 10;
export const ACCESS_TOKEN_MINUTES = 60;
/** Tokens of an operator who acts for a user, or of an issuer that vouches for one. */
export const OPERATOR_TOKEN_MINUTES = 5;
/** The lifetime of an impersonator's session, however often it is used. */
export const IMPERSONATION_MINUTES = 60;

function isWithin(minutes: number, { min, max }: Omit<MinutesRange, 'fallback'>): boolean {
  return Number.isInteger(minutes) && minutes >= min && minutes <= max;
}

/** The requested minutes, or the default. Throws a Refusal that names the field for minutes out of range. */
export function minutesIn(field: string, range: MinutesRange, value: number | undefined): number {
  const minutes = value ?? range.fallback;
  if (isWithin(minutes, range)) return minutes;
  throw new Refusal('invalid_expiration_minutes', `${field} must be a whole number from ${range.min} to ${range.max}.`);
}

/** Throws a Refusal unless the session duration is a whole number of minutes within a year. */
export function checkDuration(minutes: number): void {
  if (!isWithin(minutes, SESSION_MINUTES)) throw new Refusal('invalid_session_duration');
}

/** The limits of a project's sessions, in minutes. */
export interface SessionLimits {
  /** The longest duration that a request may set. */
  readonly session_max_minutes: number;
  /** The longest total lifetime of a session, however often it is extended or joined. */
  readonly session_absolute_minutes: number;
}

/**
 * A request may set any duration that the wire allows. The longest duration is also the longest total lifetime, so that every client
 * gets the requested duration at a login, and no page can extend a session forever.
 */
export const SESSION_LIMITS: SessionLimits = {
  session_max_minutes: SESSION_MINUTES.max,
  session_absolute_minutes: SESSION_MINUTES.max,
};

const DURATION_FIELDS = ['session_duration_minutes', 'autofill_session_duration_minutes'] as const;

/**
 * Throws a Refusal for a body with a longer session duration than the project allows. Durations that the wire does not allow are left
 * to `checkDuration`, because the calls run it at different points.
 */
export function checkSessionMaximum({ session_max_minutes: most }: SessionLimits, body: unknown): void {
  for (const field of DURATION_FIELDS) {
    const minutes = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    if (typeof minutes !== 'number' || !isWithin(minutes, SESSION_MINUTES) || minutes <= most) continue;
    throw new Refusal('invalid_session_duration', `${field} must be at most ${most} in this project.`);
  }
}

/** The earliest start of a session that can still be live, in milliseconds since 1970. */
export function earliestStart({ session_absolute_minutes: minutes }: SessionLimits, now: number): number {
  return now - minutes * MINUTE_MS;
}

/** The latest end of a session that started at this time, in milliseconds since 1970. */
export function absoluteEnd({ session_absolute_minutes: minutes }: SessionLimits, startedAt: number): number {
  return startedAt + minutes * MINUTE_MS;
}

/** The inputs for the end of a session. All times are in milliseconds since 1970. */
export interface SessionTimes {
  readonly now: number;
  /** The current end of the session; absent for a new one. */
  readonly endsAt?: number;
  /** The requested minutes from now; null keeps the current end. */
  readonly minutes: number | null;
  /** The latest possible end: `absoluteEnd`, or the earlier end of the tokens from which an app created the session. */
  readonly latest: number;
}

/** The end of a session that starts, is joined or is extended. It never moves back, unless it is after `latest`. */
export function sessionEnd(
  { session_max_minutes: most }: SessionLimits,
  { now, endsAt = 0, minutes, latest }: SessionTimes,
): number {
  const newEnd = minutes === null ? 0 : now + Math.min(minutes, most) * MINUTE_MS;
  return Math.min(Math.max(endsAt, newEnd), latest);
}
