import type { AuthError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** The kinds of characters in a password, and the number of characters and kinds that are still missing. */
export interface LudsRequirements {
  readonly has_digit: boolean;
  readonly has_lower_case: boolean;
  readonly has_symbol: boolean;
  readonly has_upper_case: boolean;
  readonly missing_characters: number;
  readonly missing_complexity: number;
}

/** The required number of characters, and of the four kinds of characters. */
export interface LudsPolicy {
  readonly ludsComplexity: number;
  readonly ludsMinimumCount: number;
}

/** The server's check of a password (specification, section 3; field names are the wire's). */
export interface PasswordStrength {
  readonly valid_password: boolean;
  /** The score of zxcvbn, from 0 (worst) to 4. */
  readonly score: number;
  readonly breached_password: boolean;
  readonly breach_detection_on_create: boolean;
  readonly strength_policy: 'zxcvbn' | 'luds' | (string & {});
  readonly feedback: {
    readonly suggestions: string[];
    readonly warning: string;
    readonly luds_requirements: LudsRequirements;
  };
}

const flagOf = (value: unknown): boolean => value === true;
const countOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** Reads the server's response. A missing or malformed field never makes a password count as valid. */
export function strengthFrom(reply: unknown): PasswordStrength {
  const fields = recordOf(reply);
  const feedback = recordOf(fields['feedback']);
  const luds = recordOf(feedback['luds_requirements']);
  const suggestions: readonly unknown[] = Array.isArray(feedback['suggestions']) ? feedback['suggestions'] : [];
  return {
    valid_password: flagOf(fields['valid_password']),
    score: scoreOf(countOf(fields['score'])),
    breached_password: flagOf(fields['breached_password']),
    breach_detection_on_create: flagOf(fields['breach_detection_on_create']),
    strength_policy: textOf(fields['strength_policy']),
    feedback: {
      suggestions: suggestions.filter((one) => typeof one === 'string'),
      warning: textOf(feedback['warning']),
      luds_requirements: {
        has_digit: flagOf(luds['has_digit']),
        has_lower_case: flagOf(luds['has_lower_case']),
        has_symbol: flagOf(luds['has_symbol']),
        has_upper_case: flagOf(luds['has_upper_case']),
        missing_characters: countOf(luds['missing_characters']),
        missing_complexity: countOf(luds['missing_complexity']),
      },
    },
  };
}

/** The policy when the server requires kinds of characters and bootstrap has no numbers. */
export const DEFAULT_LUDS: LudsPolicy = { ludsComplexity: 3, ludsMinimumCount: 8 };

/** The counts of a project without requirements. */
export const NO_LUDS: LudsPolicy = { ludsComplexity: 0, ludsMinimumCount: 0 };

/** True for a policy that any password meets, so no rules are shown. */
export function requiresNothing({ ludsComplexity, ludsMinimumCount }: LudsPolicy): boolean {
  return ludsComplexity <= 0 && ludsMinimumCount <= 0;
}

/** Checks a password against policy `luds` in the browser, for immediate feedback. The server's check decides. */
export function ludsOf(password: string, { ludsComplexity, ludsMinimumCount }: LudsPolicy): LudsRequirements {
  const kinds = {
    has_digit: /\p{Nd}/u.test(password),
    has_lower_case: /\p{Ll}/u.test(password),
    has_symbol: /[^\p{L}\p{N}]/u.test(password),
    has_upper_case: /\p{Lu}/u.test(password),
  };
  const complexity = Object.values(kinds).filter(Boolean).length;
  return {
    ...kinds,
    missing_characters: Math.max(0, ludsMinimumCount - Array.from(password).length),
    missing_complexity: Math.max(0, ludsComplexity - complexity),
  };
}

/** The score of zxcvbn, 0 to 4. A number below 1, or NaN, counts as 0. */
export type Score = 0 | 1 | 2 | 3 | 4;

export function scoreOf(score: number): Score {
  return ([1, 2, 3, 4] as const).find((level) => level === Math.min(4, Math.floor(score))) ?? 0;
}

/** The meter's four segments (specification, section 5): scores 0 and 1 fill one red, 2 two red, 3 three green, 4 four green. */
export function meterOf(score: Score): { readonly filled: 1 | 2 | 3 | 4; readonly tone: 'bad' | 'good' } {
  return { filled: score === 0 ? 1 : score, tone: score < 3 ? 'bad' : 'good' };
}

const BLAMES_PASSWORD = new Set(['unauthorized_credentials', 'no_user_password', 'breached_password', 'weak_password']);

/** True if a refusal is about the entered password. */
export function blamesPassword(error: AuthError | null): boolean {
  return error?.kind === 'api' && BLAMES_PASSWORD.has(error.error_type);
}

/** The result of checking a password; `check` numbers the edit that it belongs to. */
export interface PasswordCheck {
  readonly check: number;
  /** zxcvbn's score from this browser. */
  readonly estimate: number | null;
  /** The server's response; null until it arrives. */
  readonly strength: PasswordStrength | null;
  /** The error of a check without a response. */
  readonly error: AuthError | null;
}
